import { defaultLocales, languageOf } from "#server/kernel/messages/languages.ts";
import { findLastFullDay, nameTimeZone } from "#server/kernel/time/reader-times.ts";
import type { Reader } from "./reader.ts";
import { keepOnOneLine } from "./text.ts";

const format = (at: Date, { locale, timeZone }: Reader, options: Intl.DateTimeFormatOptions): string =>
  keepOnOneLine(new Intl.DateTimeFormat(locale, { timeZone, ...options }).format(at));

/** These words aren't in the message catalogues, which are too large to load on every page with a date. */
const wordsByLanguage = {
  en: {
    today: "Today",
    yesterday: "Yesterday",
    endOf: (date: string) => `the end of ${date}`,
    untilEnd: (zone: string) => `until the end of that day, ${zone}`,
  },
  de: {
    today: "Heute",
    yesterday: "Gestern",
    endOf: (date: string) => `Ende des ${date}`,
    untilEnd: (zone: string) => `bis zum Ende dieses Tages, ${zone}`,
  },
} as const;

const words = (locale: string) => wordsByLanguage[languageOf(locale)];

const dateTimeOptions = {
  day: "numeric",
  month: "short",
  year: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  timeZoneName: "short",
} as const;

// Table cells, facts, labels, charts and exact times have the abbreviated month. Sentences and titles have its full name.

/** `19 February 2027` */
export const formatDate = (at: Date, reader: Reader): string =>
  format(at, reader, { day: "numeric", month: "long", year: "numeric" });

/** `19 Feb 2027` */
export const formatShortDate = (at: Date, reader: Reader): string =>
  format(at, reader, { day: "numeric", month: "short", year: "numeric" });

/** `19 February` */
export const formatDayAndMonth = (at: Date, reader: Reader): string =>
  format(at, reader, { day: "numeric", month: "long" });

/** `14:05 CET` */
export const formatTime = (at: Date, reader: Reader): string =>
  format(at, reader, { hour: "2-digit", minute: "2-digit", timeZoneName: "short" });

/** `14:05:09 CET` */
export const formatTimeWithSeconds = (at: Date, reader: Reader): string =>
  format(at, reader, { hour: "2-digit", minute: "2-digit", second: "2-digit", timeZoneName: "short" });

/** For example `19 Feb 2027, 14:05 CET`. */
export const formatDateTime = (at: Date, reader: Reader): string => format(at, reader, dateTimeOptions);

/** `1 Jan 2099, 01:00 – 02:00 CET`, with both dates if the days differ. The text may wrap only at the dash. */
export const formatDateTimeRange = (from: Date, to: Date, { locale, timeZone }: Reader): string =>
  keepOnOneLine(new Intl.DateTimeFormat(locale, { timeZone, ...dateTimeOptions }).formatRange(from, to)).replace(
    "\u00a0–\u00a0",
    " – ",
  );

/** `Today, 09:12 CET` or `Yesterday, 18:40 CET`. For other days, the date and time. */
export const formatRelativeDateTime = (at: Date, now: Date, reader: Reader): string => {
  const day = relativeDay(at, now, reader);
  return day === null ? formatDateTime(at, reader) : keepOnOneLine(`${day}, ${formatTime(at, reader)}`);
};

/** The text of `formatRelativeDateTime` in lower case, for use within a sentence: `today, 09:12 CET`. */
export const formatRelativeInSentence = (at: Date, now: Date, reader: Reader): string => {
  const day = relativeDay(at, now, reader)?.toLowerCase() ?? null;
  return day === null ? formatDateTime(at, reader) : keepOnOneLine(`${day}, ${formatTime(at, reader)}`);
};

/** `Today` or `Yesterday`; null for other days. */
const relativeDay = (at: Date, now: Date, reader: Reader): string | null => {
  const dayOf = (instant: Date) => new Intl.DateTimeFormat("en-CA", { timeZone: reader.timeZone }).format(instant);
  const { today, yesterday } = words(reader.locale);
  if (dayOf(at) === dayOf(now)) return today;
  // Not 24 hours earlier: on a day with 23 hours, that can be the day before yesterday.
  const dayBefore = new Date(Date.parse(`${dayOf(now)}T00:00:00Z`) - 86_400_000).toISOString().slice(0, 10);
  return dayOf(at) === dayBefore ? yesterday : null;
};

/** `Thursday 26 November 2026 at 13:36:05 Central European Standard Time` */
export const formatFullDateTime = (at: Date, reader: Reader): string =>
  new Intl.DateTimeFormat(reader.locale, { timeZone: reader.timeZone, dateStyle: "full", timeStyle: "full" }).format(
    at,
  );

/** A day in UTC: `27 November 2026`. @param day for example `2026-11-27` */
export const formatUtcDate = (day: string, locale: string): string =>
  formatDate(new Date(`${day}T00:00:00Z`), { locale, timeZone: "UTC" });

/** A day in UTC: `27 Nov 2026`. @param day for example `2026-11-27` */
export const formatShortUtcDate = (day: string, locale: string): string =>
  formatShortDate(new Date(`${day}T00:00:00Z`), { locale, timeZone: "UTC" });

/** `November 2026` */
export const formatMonth = (at: Date, reader: Reader): string => format(at, reader, { month: "long", year: "numeric" });

/** @param month for example `2026-11` */
export const formatUtcMonth = (month: string, locale: string): string =>
  format(new Date(`${month}-01T00:00:00Z`), { locale, timeZone: "UTC" }, { month: "long", year: "numeric" });

/** `Europe/Berlin` becomes `Berlin time`. */
export const formatTimeZone = (timeZone: string, locale = defaultLocales.en): string => nameTimeZone(timeZone, locale);

const withZone = (day: string, { locale, timeZone }: Reader): string => `${day}, ${formatTimeZone(timeZone, locale)}`;

/** `the end of 19 February 2027, Berlin time`, or the exact time. */
export const formatEnd = (until: Date, reader: Reader): string => {
  const lastDay = findLastFullDay(until, reader);
  if (lastDay) return withZone(words(reader.locale).endOf(formatDate(lastDay, reader)), reader);
  return formatDateTime(until, reader);
};

/** An end, for use after a word such as `ends`: `19 February 2027, Berlin time`, or the exact time. */
export const formatEndDay = (until: Date, reader: Reader): string => {
  const lastDay = findLastFullDay(until, reader);
  return lastDay ? withZone(formatDate(lastDay, reader), reader) : formatDateTime(until, reader);
};

/** An end, for use within an English sentence: `at the end of 19 February 2027, …`, or `on` with the exact time. */
export const formatEndInSentence = (until: Date, reader: Reader): string =>
  `${findLastFullDay(until, reader) ? "at" : "on"} ${formatEnd(until, reader)}`;

/** The texts of `formatEndWithNote` for an end at the start of `day` in the reader's zone. @param day `2026-11-27` */
export const formatEndBeforeDay = (day: string, { locale, timeZone }: Reader): { text: string; note: string } => ({
  text: formatDate(new Date(Date.parse(`${day}T00:00:00Z`) - 1), { locale, timeZone: "UTC" }),
  note: words(locale).untilEnd(formatTimeZone(timeZone, locale)),
});

/** An end as a short text with a note below it. */
export const formatEndWithNote = (until: Date, reader: Reader): { text: string; note: string } => {
  const [zone, lastDay] = [formatTimeZone(reader.timeZone, reader.locale), findLastFullDay(until, reader)];
  if (lastDay) return { text: formatDate(lastDay, reader), note: words(reader.locale).untilEnd(zone) };
  return { text: formatDateTime(until, reader), note: zone };
};
