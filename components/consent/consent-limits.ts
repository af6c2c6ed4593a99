import { translator } from "#server/kernel/messages/translator.ts";
import type { PaymentMandateDetails } from "#server/mandates/details/payment-mandate.wire.ts";
import { formatPeriod, formatPeriodReset } from "../format/periods.ts";
import type { Reader } from "../format/reader.ts";
import { mandateStart } from "./consent-end.ts";
import type { RequestedMandate } from "./consent-request.ts";

/** Payments of any amount are counted; amounts are in minor units. */
export type LimitUnit = "amount" | "payments";

export type ConsentLimit = {
  /** the form field; null for a removed limit of a period, which the payer can't lower */
  field: string | null;
  unit: LimitUnit;
  label: string;
  note: string;
  /** null if the request sets no limit */
  cap: number | null;
  /** the limit in force, null if there is none; absent for a new mandate */
  current?: number | null;
};

type Limits = Pick<RequestedMandate, "details" | "current">;

/** When and for whom the page is rendered. */
export type LimitContext = { now: Date; reader: Reader };

/**
 * The limits per payment, per period and in total, and the amount above which the payer approves. Amount limits per
 * payment and in total are listed even without a cap, so that the payer can add one.
 */
export const listLimits = (
  { details, current }: Limits,
  index: number,
  { now, reader }: LimitContext,
): ConsentLimit[] => {
  const t = translator(reader.locale, "consent");
  const limitOf = (
    name: "max_amount_per_payment" | "max_total_amount" | "max_payments" | "step_up_above",
    rest: Pick<ConsentLimit, "unit" | "label" | "note">,
  ): ConsentLimit => ({
    field: `m${index}_${name}`,
    ...rest,
    cap: details[name] ?? null,
    ...(current ? { current: current.details[name] ?? null } : {}),
  });
  const optional = [
    limitOf("max_payments", { unit: "payments", label: t("totalPayments"), note: t("totalNote") }),
    limitOf("step_up_above", { unit: "amount", label: t("stepUp"), note: "" }),
  ];
  return [
    limitOf("max_amount_per_payment", { unit: "amount", label: t("perPayment"), note: "" }),
    ...listPeriodLimits({ details, current }, index, { now, reader }),
    limitOf("max_total_amount", { unit: "amount", label: t("total"), note: t("totalNote") }),
    ...optional.filter((limit) => limit.cap !== null || (limit.current ?? null) !== null),
  ];
};

type PeriodLimit = NonNullable<PaymentMandateDetails["periodic_limits"]>[number];
const keyOf = ({ period, alignment }: PeriodLimit): string => `${period}:${alignment}`;

const periodCaps = [
  ["max_amount", "amount"],
  ["max_payments", "payments"],
] as const;

/** The requested period limits, then the current ones that the request removes. */
const listPeriodLimits = (
  { details, current }: Limits,
  index: number,
  { now, reader }: LimitContext,
): ConsentLimit[] => {
  // The periods of a running mandate keep counting from its start.
  const start = current?.details.valid_from ? new Date(current.details.valid_from) : mandateStart(details, now);
  const labelOf = (limit: PeriodLimit) => ({
    label: formatPeriod(limit, reader.locale),
    note: formatPeriodReset(limit, { timeZone: details.time_zone ?? "UTC", start, locale: reader.locale }),
  });
  const requested = details.periodic_limits ?? [];
  const inForce = current?.details.periodic_limits ?? [];
  const limits = requested.flatMap((limit, place) =>
    periodCaps.flatMap(([name, unit]): ConsentLimit[] => {
      const cap = limit[name];
      if (cap === undefined) return [];
      const before = inForce.find((candidate) => keyOf(candidate) === keyOf(limit))?.[name] ?? null;
      const field = `m${index}_p${place}_${name}`;
      return [{ field, unit, ...labelOf(limit), cap, ...(current ? { current: before } : {}) }];
    }),
  );
  const removed = inForce.flatMap((limit) =>
    periodCaps.flatMap(([name, unit]): ConsentLimit[] => {
      const before = limit[name];
      const isKept = requested.some((candidate) => keyOf(candidate) === keyOf(limit) && candidate[name] !== undefined);
      return isKept || before === undefined
        ? []
        : [{ field: null, unit, ...labelOf(limit), cap: null, current: before }];
    }),
  );
  return [...limits, ...removed];
};
