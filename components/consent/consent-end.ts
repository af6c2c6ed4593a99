import { translator } from "#server/kernel/messages/translator.ts";
import { addDays, dayIn, oneYearAfter } from "#server/kernel/time/calendar.ts";
import type { PaymentMandateDetails } from "#server/mandates/details/payment-mandate.wire.ts";
import { formatDate, formatEndWithNote, formatTimeZone, formatUtcDate } from "../format/dates.ts";
import type { Reader } from "../format/reader.ts";
import type { RequestedMandate } from "./consent-request.ts";

/** When the mandate starts if the payer approves now. Consent periods count from this instant. */
export const mandateStart = (details: Pick<PaymentMandateDetails, "valid_from">, now: Date): Date =>
  new Date(Math.max(now.getTime(), details.valid_from ? Date.parse(details.valid_from) : 0));

type RequestedValidity = Pick<PaymentMandateDetails, "valid_from" | "valid_until" | "time_zone">;

/** The requested end. If the request has none, one calendar year after the start, in the mandate's time zone. */
export const requestedEnd = (details: RequestedValidity, now: Date): Date =>
  details.valid_until
    ? new Date(details.valid_until)
    : oneYearAfter(mandateStart(details, now), details.time_zone ?? "UTC");

/** The end of the mandate in the payer's time zone, with a note that names this time zone. */
export const describeMandateEnd = (
  details: PaymentMandateDetails,
  now: Date,
  reader: Reader,
): { text: string; note: string } => {
  const t = translator(reader.locale, "consent");
  const end = requestedEnd(details, now);
  if (details.valid_until) return formatEndWithNote(end, reader);
  const hasStarted = details.valid_from && new Date(details.valid_from) < now;
  const zone = formatTimeZone(reader.timeZone, reader.locale);
  return { text: formatDate(end, reader), note: t(hasStarted ? "oneYearFromNow" : "oneYear", { zone }) };
};

type Days = { first: string; last: string };

/**
 * The days that the payer can choose as the end. The mandate ends when the chosen day begins in the payer's time zone.
 * The end of the mandate must be after its start, and not after the requested end.
 */
export const findEndDays = (details: RequestedValidity, now: Date, { timeZone }: Reader): Days => ({
  first: addDays(dayIn(timeZone, mandateStart(details, now)), 1),
  last: dayIn(timeZone, requestedEnd(details, now)),
});

/** The message for a day outside the range. It says what to enter. */
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
  return formatDate(requestedEnd(current.details, now), reader);
};
