import { translator } from "#server/kernel/messages/translator.ts";
import type { PaymentMandateDetails } from "#server/mandates/details/payment-mandate.wire.ts";
import { formatNextReset, formatPeriod } from "../format/periods.ts";
import type { Reader } from "../format/reader.ts";
import type { RequestedMandate } from "./consent-request.ts";

type PeriodLimit = NonNullable<PaymentMandateDetails["periodic_limits"]>[number];

/** `amount`: the cap is in minor units. `payments`: the cap is a number of payments of any amount. */
export type LimitUnit = "amount" | "payments";

/** What the limit applies to; `approval` is the amount above which a payment needs the payer's approval. */
export type LimitScope = "payment" | "total" | "approval" | `${PeriodLimit["alignment"]}.${PeriodLimit["period"]}`;

export type ConsentLimit = {
  /** the form field; null for a period limit that the request removes, because the payer can't lower it */
  field: string | null;
  unit: LimitUnit;
  scope: LimitScope;
  /** names the form field */
  label: string;
  /** when the period resets */
  note: string;
  /** null if the request sets no limit */
  cap: number | null;
  /** the limit in force, null if there is none; absent for a new mandate */
  current?: number | null;
};

type Limits = Pick<RequestedMandate, "details" | "resets" | "current">;

/** The time at which the page is rendered, and its reader. */
export type LimitContext = { now: Date; reader: Reader };

/**
 * The limits per payment, per period and in total, and the amount above which a payment needs the payer's approval.
 * Amount limits per payment and in total are listed even without a cap, so that the payer can add a cap.
 */
export const listLimits = (limits: Limits, index: number, context: LimitContext): ConsentLimit[] => {
  const { details, current } = limits;
  const t = translator(context.reader.locale, "consent");
  const limitOf = (
    name: "max_amount_per_payment" | "max_total_amount" | "max_payments" | "step_up_above",
    rest: Pick<ConsentLimit, "unit" | "scope" | "label">,
  ): ConsentLimit => ({
    field: `m${index}_${name}`,
    ...rest,
    note: "",
    cap: details[name] ?? null,
    ...(current ? { current: current.details[name] ?? null } : {}),
  });
  const optional = [
    limitOf("max_payments", { unit: "payments", scope: "total", label: t("totalPayments") }),
    limitOf("step_up_above", { unit: "amount", scope: "approval", label: t("stepUp") }),
  ];
  return [
    limitOf("max_amount_per_payment", { unit: "amount", scope: "payment", label: t("perPayment") }),
    ...listPeriodLimits(limits, index, context),
    limitOf("max_total_amount", { unit: "amount", scope: "total", label: t("total") }),
    ...optional.filter((limit) => limit.cap !== null || (limit.current ?? null) !== null),
  ];
};

const keyOf = ({ period, alignment }: PeriodLimit): string => `${period}:${alignment}`;

const periodCaps = [
  ["max_amount", "amount"],
  ["max_payments", "payments"],
] as const;

/** The requested period limits, then the current ones that the request removes. */
const listPeriodLimits = (
  { details, resets, current }: Limits,
  index: number,
  { now, reader }: LimitContext,
): ConsentLimit[] => {
  const scopeOf = (limit: PeriodLimit) => ({
    scope: `${limit.alignment}.${limit.period}` as const,
    label: formatPeriod(limit, reader.locale),
  });
  const requested = details.periodic_limits ?? [];
  const inForce = current?.details.periodic_limits ?? [];
  const limits = requested.flatMap((limit, place) =>
    periodCaps.flatMap(([name, unit]): ConsentLimit[] => {
      const cap = limit[name];
      if (cap === undefined) return [];
      const before = inForce.find((candidate) => keyOf(candidate) === keyOf(limit))?.[name] ?? null;
      const field = `m${index}_p${place}_${name}`;
      const reset = resets[place];
      const note = reset ? formatNextReset(reset, now, reader) : "";
      return [{ field, unit, ...scopeOf(limit), note, cap, ...(current ? { current: before } : {}) }];
    }),
  );
  const removed = inForce.flatMap((limit) =>
    periodCaps.flatMap(([name, unit]): ConsentLimit[] => {
      const before = limit[name];
      const isKept = requested.some((candidate) => keyOf(candidate) === keyOf(limit) && candidate[name] !== undefined);
      return isKept || before === undefined
        ? []
        : [{ field: null, unit, ...scopeOf(limit), note: "", cap: null, current: before }];
    }),
  );
  return [...limits, ...removed];
};
