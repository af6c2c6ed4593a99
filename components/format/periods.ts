import { type Translator, translator } from "#server/kernel/messages/translator.ts";
import { formatTimeZone } from "./dates.ts";

type PeriodName = "day" | "week" | "month" | "quarter" | "year";
export type PeriodRule = { period: PeriodName; alignment: "calendar" | "consent" };

export const formatPeriod = ({ period, alignment }: PeriodRule, locale: string): string =>
  translator(locale, "periods")(`${alignment}.${period}`);

type Count = {
  /** the mandate's time zone */
  timeZone: string;
  /** the day from which consent periods count */
  start: Date;
  locale: string;
};

/** When a period resets, in the mandate's time zone. */
export const formatPeriodReset = (rule: PeriodRule, count: Count): string => {
  const t = translator(count.locale, "periods");
  const text =
    rule.alignment === "calendar" ? t(`calendarReset.${rule.period}`) : formatConsentReset(rule.period, count, t);
  return t("inZone", { text, zone: formatTimeZone(count.timeZone, count.locale) });
};

const formatConsentReset = (
  period: PeriodName,
  { timeZone, start, locale }: Count,
  t: Translator<"periods">,
): string => {
  const part = (options: Intl.DateTimeFormatOptions, formatLocale = locale) =>
    new Intl.DateTimeFormat(formatLocale, { timeZone, ...options }).format(start);
  const day = Number(part({ day: "numeric" }, "en-GB"));
  const isLate = day > 28;
  switch (period) {
    case "day":
      return t("resetDay");
    case "week":
      return t("resetWeek", { weekday: part({ weekday: "long" }) });
    case "month":
      return t(isLate ? "resetMonthLate" : "resetMonth", { day });
    case "quarter":
      return t(isLate ? "resetQuarterLate" : "resetQuarter", { day });
    case "year":
      return t("resetYear", { date: part({ day: "numeric", month: "long" }) });
  }
};
