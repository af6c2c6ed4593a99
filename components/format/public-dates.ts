import { keepOnOneLine } from "./text.ts";

// The status page shows every visitor the same times: UTC, in British English.
const formatter = (options: Intl.DateTimeFormatOptions) => {
  const format = new Intl.DateTimeFormat("en-GB", { timeZone: "UTC", ...options });
  return (at: Date): string => keepOnOneLine(format.format(at));
};
const formatClock = formatter({ hour: "2-digit", minute: "2-digit", hourCycle: "h23" });

/** `21 November 2026` */
export const formatPublicDate = formatter({ day: "numeric", month: "long", year: "numeric" });

/** `November 2026` */
export const formatPublicMonth = formatter({ month: "long", year: "numeric" });

const isSameDay = (left: Date, right: Date): boolean => formatPublicDate(left) === formatPublicDate(right);

/** `09:41 UTC` for a time of today. Other times include the date. */
export const formatPublicDateTime = (at: Date, now: Date): string =>
  keepOnOneLine(isSameDay(at, now) ? `${formatClock(at)} UTC` : `${formatPublicDate(at)}, ${formatClock(at)} UTC`);

/** `21 November 2026, 18:00 to 18:30 UTC` */
export const formatPublicRange = (from: Date, to: Date): string =>
  isSameDay(from, to)
    ? `${formatPublicDate(from)}, ${formatClock(from)} to ${formatClock(to)} UTC`
    : `${formatPublicDate(from)}, ${formatClock(from)} to ${formatPublicDate(to)}, ${formatClock(to)} UTC`;
