import { languageOf } from "../messages/languages.ts";

/** Times are always in the time zone of the person who reads them, and the text names the zone. */
type Reader = { locale: string; timeZone: string };

// Pages load this file in the browser, so these words aren't in the message catalogues.
const zoneNames = {
  en: (place: string) => `${place} time`,
  de: (place: string) => `Ortszeit ${place}`,
} as const;

/** `Europe/Berlin` becomes `Berlin time`. */
export const nameTimeZone = (timeZone: string, locale: string): string =>
  timeZone === "UTC"
    ? "UTC"
    : zoneNames[languageOf(locale)]((timeZone.split("/").at(-1) ?? timeZone).replaceAll("_", " "));

/** `20 November 2027 at 09:00 CET` */
export const formatExactTime = (at: Date, { locale, timeZone }: Reader): string =>
  new Intl.DateTimeFormat(locale, {
    timeZone,
    day: "numeric",
    month: "long",
    year: "numeric",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
  }).format(at);

/**
 * The last day before an end at local midnight: an end is exclusive, so the whole day before it is included.
 * @returns an instant of that day, or null if the end isn't at midnight.
 */
export const findLastFullDay = (until: Date, { timeZone }: Pick<Reader, "timeZone">): Date | null => {
  const clock = new Intl.DateTimeFormat("en-GB", {
    timeZone,
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
  }).format(until);
  return clock === "00:00:00" ? new Date(until.getTime() - 1) : null;
};

/** An end, in receipts and e-mails: `31 December 2026, Berlin time`, or the exact time. */
export const formatEndText = (until: Date, reader: Reader): string => {
  const { locale, timeZone } = reader;
  const lastDay = findLastFullDay(until, reader);
  if (lastDay === null) return formatExactTime(until, reader);
  const day = new Intl.DateTimeFormat(locale, { timeZone, dateStyle: "long" }).format(lastDay);
  return `${day}, ${nameTimeZone(timeZone, locale)}`;
};
