import { translator } from "#server/kernel/messages/translator.ts";
import { formatDate, formatDayAndMonth } from "./dates.ts";
import type { Reader } from "./reader.ts";
import { keepOnOneLine } from "./text.ts";

type PeriodRule = { period: "day" | "week" | "month" | "quarter" | "year"; alignment: "calendar" | "consent" };

export const formatPeriod = ({ period, alignment }: PeriodRule, locale: string): string =>
  translator(locale, "periods")(`${alignment}.${period}`);

/** `resets on 1 December, 00:00 (Europe/Berlin)` in the reader's time zone; with the year if it isn't the current one. */
export const formatNextReset = (at: Date, now: Date, reader: Reader): string => {
  const { locale, timeZone } = reader;
  const format = (instant: Date, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone, ...options }).format(instant);
  const isThisYear = format(at, { year: "numeric" }) === format(now, { year: "numeric" });
  return translator(locale, "periods")("nextReset", {
    date: isThisYear ? formatDayAndMonth(at, reader) : formatDate(at, reader),
    time: keepOnOneLine(format(at, { hour: "2-digit", minute: "2-digit" })),
    zone: timeZone,
  });
};
