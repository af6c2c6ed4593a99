import type { MailReader } from "./mail-content.ts";

/** `21 November at 14:15 CET` */
export const formatMailTime = (at: Date, { locale, timeZone }: MailReader): string =>
  new Intl.DateTimeFormat(locale, {
    timeZone,
    day: "numeric",
    month: "long",
    hour: "2-digit",
    minute: "2-digit",
    timeZoneName: "short",
  }).format(at);

/** In UTC, for mail to many readers. */
export const formatMailTimeInUtc = (at: Date): string => formatMailTime(at, { locale: "en-GB", timeZone: "UTC" });

/** `27 November 2026` */
export const formatMailDayInUtc = (day: Date): string =>
  new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", day: "numeric", month: "long", year: "numeric" }).format(day);
