import { formatTimeZone } from "./dates.ts";

type PeriodName = "day" | "week" | "month" | "quarter" | "year";
export type PeriodRule = { period: PeriodName; alignment: "calendar" | "consent" };

const calendarNames: Readonly<Record<PeriodName, string>> = {
  day: "Each day",
  week: "Each calendar week",
  month: "Each calendar month",
  quarter: "Each calendar quarter",
  year: "Each calendar year",
};

const consentNames: Readonly<Record<PeriodName, string>> = {
  day: "Each day",
  week: "Each 7 days",
  month: "Each month",
  quarter: "Each three months",
  year: "Each year",
};

export const formatPeriod = ({ period, alignment }: PeriodRule): string =>
  (alignment === "calendar" ? calendarNames : consentNames)[period];

const calendarResets: Readonly<Record<PeriodName, string>> = {
  day: "resets at midnight",
  week: "resets on Mondays",
  month: "resets on the 1st",
  quarter: "resets on 1 January, April, July and October",
  year: "resets on 1 January",
};

/** When a period resets, in the mandate's time zone. @param start the day from which consent periods count. */
export const formatPeriodReset = (rule: PeriodRule, timeZone: string, start: Date): string =>
  `${rule.alignment === "calendar" ? calendarResets[rule.period] : formatConsentReset(rule.period, timeZone, start)}, ${formatTimeZone(timeZone)}`;

const formatConsentReset = (period: PeriodName, timeZone: string, start: Date): string => {
  const part = (options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat("en-GB", { timeZone, ...options }).format(start);
  const day = Number(part({ day: "numeric" }));
  const clamped = day > 28 ? " or the month’s last day" : "";
  switch (period) {
    case "day":
      return "resets at midnight";
    case "week":
      return `resets on ${part({ weekday: "long" })}s`;
    case "month":
      return `resets on the ${ordinal(day)} of each month${clamped}`;
    case "quarter":
      return `resets every three months on the ${ordinal(day)}${clamped}`;
    case "year":
      return `resets each ${part({ day: "numeric", month: "long" })}`;
  }
};

const ordinal = (day: number): string => {
  const ending = day > 10 && day < 14 ? "th" : (["th", "st", "nd", "rd"][day % 10] ?? "th");
  return `${day}${ending}`;
};
