import type { MailReader } from "./mail-reader.ts";

/** Prevents a line break within a date and within a time, but not between them. */
const unwrapped = (text: string): string => text.replaceAll(/ (?!(?:at|um) )/g, "\u00a0");

/** `21 November at 14:15 CET` */
export const formatMailTime = (at: Date, { locale, timeZone }: MailReader): string =>
  unwrapped(
    new Intl.DateTimeFormat(locale, {
      timeZone,
      day: "numeric",
      month: "long",
      hour: "2-digit",
      minute: "2-digit",
      timeZoneName: "short",
    }).format(at),
  );

/** `21 November 2026` */
export const formatMailDay = (day: Date, { locale, timeZone }: MailReader): string =>
  unwrapped(new Intl.DateTimeFormat(locale, { timeZone, day: "numeric", month: "long", year: "numeric" }).format(day));

/** A time in a mail that is in English only. */
export const formatEnglishMailTime = (at: Date, timeZone: string): string =>
  formatMailTime(at, { locale: "en-GB", timeZone });

/** A time in UTC, for mail to readers whose time zone is unknown. */
export const formatMailTimeInUtc = (at: Date): string => formatEnglishMailTime(at, "UTC");

/** `27 November 2026` */
export const formatMailDayInUtc = (day: Date): string => formatMailDay(day, { locale: "en-GB", timeZone: "UTC" });
