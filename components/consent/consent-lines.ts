import { oneYearAfter } from "#server/kernel/time/calendar.ts";
import type { PaymentMandateDetails } from "#server/mandates/details/payment-mandate.wire.ts";
import { formatDate, formatEndWithNote } from "../format/dates.ts";
import { formatPeriod, formatPeriodReset } from "../format/periods.ts";
import type { Reader } from "../format/reader.ts";

export type Payee = { id: string; name: string } | { category: string };

export type Terms = { mandateId: string; details: PaymentMandateDetails; payees: readonly Payee[] };

/** What is asked for, beside what stands now where the mandate is to be changed. */
export type AskedMandate = Terms & { current: (Terms & { isPaused: boolean }) | null };

/** What an answer was refused for; `field` is the form's name of the limit. */
export type ConsentProblem = { field: string | null; message: string };

/** Who asks for what: the consent page's whole matter. */
export type ConsentRequest = {
  handle: string;
  formToken: string;
  client: { name: string; isVerified: boolean; domain: string | null };
  redirectHost: string;
  mandates: readonly AskedMandate[];
  /** what else it may do, each behind "may also" */
  rights: readonly string[];
  /** where a grant is replaced: the mandates that end with it */
  replaces: { ends: readonly Terms[]; paymentMethodId: string | null; budgetVisible: boolean } | null;
};

/**
 * A limit that the payer can lower: `field` is the form's name for it, null where there is nothing to lower;
 * `capMinor` null where none was asked for. `beforeMinor` is the limit that stands now, absent in a new mandate.
 */
export type AmountLine = {
  field: string | null;
  label: string;
  note: string;
  capMinor: number | null;
  beforeMinor?: number | null;
};

/** When the mandate begins if it is approved now; consent periods count from there. */
export const beginsAt = (details: Pick<PaymentMandateDetails, "valid_from">, now: Date): Date =>
  new Date(Math.max(now.getTime(), details.valid_from ? Date.parse(details.valid_from) : 0));

type Asked = Pick<PaymentMandateDetails, "valid_from" | "valid_until" | "time_zone">;

/** Its end: the one asked for, else one calendar year from the beginning, by the mandate's own clock. */
export const endsAt = (details: Asked, now: Date): Date =>
  details.valid_until
    ? new Date(details.valid_until)
    : oneYearAfter(beginsAt(details, now), details.time_zone ?? "UTC");

/** Per payment, per period, in total: every amount limit, with the caps that could be set where none is. */
export const amountLines = (
  { details, current }: Pick<AskedMandate, "details" | "current">,
  index: number,
  now: Date,
): AmountLine[] => {
  const before = (cap: number | undefined) => (current ? { beforeMinor: cap ?? null } : {});
  return [
    {
      field: `m${index}_max_amount_per_payment`,
      label: "Each payment, at most",
      note: "",
      capMinor: details.max_amount_per_payment ?? null,
      ...before(current?.details.max_amount_per_payment),
    },
    ...periodLines({ details, current }, index, now),
    {
      field: `m${index}_max_total_amount`,
      label: "In total",
      note: "over the whole time",
      capMinor: details.max_total_amount ?? null,
      ...before(current?.details.max_total_amount),
    },
  ];
};

type Limit = NonNullable<PaymentMandateDetails["periodic_limits"]>[number];
const keyOf = ({ period, alignment }: Limit): string => `${period}:${alignment}`;

/** Those that are asked for, then those that stand now and would go. */
const periodLines = (
  { details, current }: Pick<AskedMandate, "details" | "current">,
  index: number,
  now: Date,
): AmountLine[] => {
  // Periods of a mandate that runs go on from where it began.
  const start = current?.details.valid_from ? new Date(current.details.valid_from) : beginsAt(details, now);
  const said = (limit: Limit) => ({
    label: formatPeriod(limit),
    note: formatPeriodReset(limit, details.time_zone ?? "UTC", start),
  });
  const asked = details.periodic_limits ?? [];
  const standing = current?.details.periodic_limits ?? [];
  const lines = asked.flatMap((limit, place): AmountLine[] => {
    if (limit.max_amount === undefined) return [];
    const before = standing.find((candidate) => keyOf(candidate) === keyOf(limit))?.max_amount ?? null;
    const field = `m${index}_p${place}_max_amount`;
    return [{ field, ...said(limit), capMinor: limit.max_amount, ...(current ? { beforeMinor: before } : {}) }];
  });
  const gone = standing.flatMap((limit): AmountLine[] => {
    const stays = asked.some((candidate) => keyOf(candidate) === keyOf(limit) && candidate.max_amount !== undefined);
    if (stays || limit.max_amount === undefined) return [];
    return [{ field: null, ...said(limit), capMinor: null, beforeMinor: limit.max_amount }];
  });
  return [...lines, ...gone];
};

/** The last day, or the very minute; ends are half-open, so one at midnight is over when the day before is. */
export const endWords = (details: PaymentMandateDetails, now: Date, reader: Reader): { text: string; note: string } => {
  const zone = { ...reader, timeZone: details.time_zone ?? "UTC" };
  const end = endsAt(details, now);
  if (!details.valid_until)
    return {
      text: formatDate(end, zone),
      note: details.valid_from && new Date(details.valid_from) < now ? "one year from now" : "one year from its start",
    };
  return formatEndWithNote(end, zone);
};

/** Why a day can't be the end: ends are dates of UTC, from the day after the beginning to the end that was asked for. */
export const outsideWords = (firstDay: Date, lastDay: Date, reader: Reader): string => {
  if (lastDay < firstDay) return "This mandate is too short to end on an earlier day. Leave this empty.";
  const utc = { ...reader, timeZone: "UTC" };
  return `Choose a day from ${formatDate(firstDay, utc)} to ${formatDate(lastDay, utc)}.`;
};

/** The end that stands now, as finely told as the one beside it: an end left open is told by its day. */
export const endBefore = ({ details, current }: AskedMandate, now: Date, reader: Reader): string | null => {
  if (current === null) return null;
  if (details.valid_until) return endWords(current.details, now, reader).text;
  return formatDate(endsAt(current.details, now), { ...reader, timeZone: details.time_zone ?? "UTC" });
};
