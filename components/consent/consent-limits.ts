import { translator } from "#server/kernel/messages/translator.ts";
import { addDays, dayIn, oneYearAfter } from "#server/kernel/time/calendar.ts";
import type { PaymentMandateDetails } from "#server/mandates/details/payment-mandate.wire.ts";
import type { Brand } from "#server/merchants/brand.ts";
import type { ConsentRight } from "#server/oauth/rules/scopes.ts";
import { formatDate, formatEndWithNote, formatUtcDate } from "../format/dates.ts";
import { formatPeriod, formatPeriodReset } from "../format/periods.ts";
import type { Reader } from "../format/reader.ts";

export type Payee = { id: string; name: string; brand?: Brand | null } | { category: string };

export type Terms = { mandateId: string; details: PaymentMandateDetails; payees: readonly Payee[] };

/** The requested terms. If the request changes a mandate, `current` has the terms in force. */
export type RequestedMandate = Terms & { current: (Terms & { isPaused: boolean }) | null };

/** Why a decision was refused; `field` is the form field of the limit, null for the whole form. */
export type ConsentProblem = { field: string | null; message: string };

/** Everything that the consent page shows. */
export type ConsentRequest = {
  handle: string;
  formToken: string;
  /** the account that decides */
  payer: { name: string; email: string };
  client: { name: string; isVerified: boolean; brand?: Brand | null; domain: string | null };
  redirectHost: string;
  mandates: readonly RequestedMandate[];
  /** other rights that the client requests */
  rights: readonly ConsentRight[];
  /** set if the request replaces a grant; `ends` lists the mandates that end with that grant */
  replaces: { ends: readonly Terms[]; paymentMethodId: string | null; budgetVisible: boolean } | null;
};

/**
 * One amount limit. `field` is its form field, null for a limit that is removed. `capMinor` is null if the request sets
 * no limit. `currentMinor` is the limit in force, absent for a new mandate.
 */
export type AmountLimit = {
  field: string | null;
  label: string;
  note: string;
  capMinor: number | null;
  currentMinor?: number | null;
};

/** When the mandate starts if the payer approves now. Consent periods count from this instant. */
export const mandateStart = (details: Pick<PaymentMandateDetails, "valid_from">, now: Date): Date =>
  new Date(Math.max(now.getTime(), details.valid_from ? Date.parse(details.valid_from) : 0));

type RequestedValidity = Pick<PaymentMandateDetails, "valid_from" | "valid_until" | "time_zone">;

/** The requested end. If the request has none, one calendar year after the start, in the mandate's time zone. */
export const requestedEnd = (details: RequestedValidity, now: Date): Date =>
  details.valid_until
    ? new Date(details.valid_until)
    : oneYearAfter(mandateStart(details, now), details.time_zone ?? "UTC");

type Limits = Pick<RequestedMandate, "details" | "current">;

/** When and for whom the page is rendered. */
export type LimitContext = { now: Date; reader: Reader };

/** The limits per payment, per period and in total. Limits that the payer can add have no cap. */
export const listAmountLimits = (
  { details, current }: Limits,
  index: number,
  { now, reader }: LimitContext,
): AmountLimit[] => {
  const t = translator(reader.locale, "consent");
  const currentCap = (cap: number | undefined) => (current ? { currentMinor: cap ?? null } : {});
  return [
    {
      field: `m${index}_max_amount_per_payment`,
      label: t("perPayment"),
      note: "",
      capMinor: details.max_amount_per_payment ?? null,
      ...currentCap(current?.details.max_amount_per_payment),
    },
    ...listPeriodLimits({ details, current }, index, { now, reader }),
    {
      field: `m${index}_max_total_amount`,
      label: t("total"),
      note: t("totalNote"),
      capMinor: details.max_total_amount ?? null,
      ...currentCap(current?.details.max_total_amount),
    },
  ];
};

type PeriodLimit = NonNullable<PaymentMandateDetails["periodic_limits"]>[number];
const keyOf = ({ period, alignment }: PeriodLimit): string => `${period}:${alignment}`;

/** The requested period limits, then the current ones that the request removes. */
const listPeriodLimits = (
  { details, current }: Limits,
  index: number,
  { now, reader }: LimitContext,
): AmountLimit[] => {
  // The periods of a running mandate keep counting from its start.
  const start = current?.details.valid_from ? new Date(current.details.valid_from) : mandateStart(details, now);
  const labelOf = (limit: PeriodLimit) => ({
    label: formatPeriod(limit, reader.locale),
    note: formatPeriodReset(limit, { timeZone: details.time_zone ?? "UTC", start, locale: reader.locale }),
  });
  const requested = details.periodic_limits ?? [];
  const inForce = current?.details.periodic_limits ?? [];
  const limits = requested.flatMap((limit, place): AmountLimit[] => {
    if (limit.max_amount === undefined) return [];
    const currentMinor = inForce.find((candidate) => keyOf(candidate) === keyOf(limit))?.max_amount ?? null;
    return [
      {
        field: `m${index}_p${place}_max_amount`,
        ...labelOf(limit),
        capMinor: limit.max_amount,
        ...(current ? { currentMinor } : {}),
      },
    ];
  });
  const removed = inForce.flatMap((limit): AmountLimit[] => {
    const isKept = requested.some(
      (candidate) => keyOf(candidate) === keyOf(limit) && candidate.max_amount !== undefined,
    );
    if (isKept || limit.max_amount === undefined) return [];
    return [{ field: null, ...labelOf(limit), capMinor: null, currentMinor: limit.max_amount }];
  });
  return [...limits, ...removed];
};

/** The end in the mandate's time zone, with a note. */
export const describeMandateEnd = (
  details: PaymentMandateDetails,
  now: Date,
  reader: Reader,
): { text: string; note: string } => {
  const t = translator(reader.locale, "consent");
  const zone = { ...reader, timeZone: details.time_zone ?? "UTC" };
  const end = requestedEnd(details, now);
  if (details.valid_until) return formatEndWithNote(end, zone);
  const hasStarted = details.valid_from && new Date(details.valid_from) < now;
  return { text: formatDate(end, zone), note: t(hasStarted ? "oneYearFromNow" : "oneYear") };
};

type Days = { first: string; last: string };

/** The days, in the payer's time zone, at whose beginning the mandate can end: after its start, by the requested end. */
export const findEndDays = (details: RequestedValidity, now: Date, { timeZone }: Reader): Days => ({
  first: addDays(dayIn(timeZone, mandateStart(details, now)), 1),
  last: dayIn(timeZone, requestedEnd(details, now)),
});

/** The message for a day outside the range, which says what to enter. */
export const describeEndRange = ({ first, last }: Days, { locale }: Reader): string => {
  const t = translator(locale, "consent");
  if (last < first) return t("tooShort");
  return t("chooseDay", { first: formatUtcDate(first, locale), last: formatUtcDate(last, locale) });
};

/** The current end in the same format as the requested end next to it; null for a new mandate. */
export const describeCurrentEnd = (
  { details, current }: RequestedMandate,
  now: Date,
  reader: Reader,
): string | null => {
  if (current === null) return null;
  if (details.valid_until) return describeMandateEnd(current.details, now, reader).text;
  return formatDate(requestedEnd(current.details, now), { ...reader, timeZone: details.time_zone ?? "UTC" });
};
