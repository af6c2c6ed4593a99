import { currencyExponent } from "#server/kernel/money/money.ts";
import { formatAmount } from "../../format/money.ts";
import { formatShare } from "../../format/percent.ts";
import type { Reader } from "../../format/reader.ts";
import { keepOnOneLine } from "../../format/text.ts";

/** What the numbers of a chart are. Money is in minor units. Percentages are shares from 0 to 1. */
export type ChartUnit =
  | { kind: "money"; currency: string }
  | { kind: "count" }
  | { kind: "percent" }
  | { kind: "milliseconds" };

/**
 * The period of one point. A point of `day` or `week` has a calendar day, of `month` a calendar month, and of `hour` or
 * `time` an instant. With `time`, all points are within 24 hours, so that their labels need no date.
 */
export type ChartInterval = "time" | "hour" | "day" | "week" | "month";

const optionsOf = (unit: ChartUnit): Intl.NumberFormatOptions => {
  switch (unit.kind) {
    case "money":
      return { style: "currency", currency: unit.currency };
    case "percent":
      return { style: "percent", maximumFractionDigits: 1 };
    case "milliseconds":
      return { style: "unit", unit: "millisecond", maximumFractionDigits: 0 };
    case "count":
      return {};
  }
};

const formatNumber = (
  value: number,
  { kind }: ChartUnit,
  { reader: { locale }, options }: { reader: Reader; options: Intl.NumberFormatOptions },
): string =>
  kind === "percent"
    ? formatShare(value, locale, options)
    : keepOnOneLine(new Intl.NumberFormat(locale, options).format(value));

/** The exact value, for the table and the tooltip. */
export const formatChartValue = (value: number | null, unit: ChartUnit, reader: Reader): string => {
  if (value === null) return "–";
  if (unit.kind === "money") return formatAmount(value, unit.currency, reader);
  return formatNumber(value, unit, { reader, options: optionsOf(unit) });
};

/** `€1.2k`, `1.5s`: a short value for the axis. */
export const formatAxisValue = (value: number, unit: ChartUnit, reader: Reader): string => {
  if (unit.kind === "milliseconds" && value >= 1000) {
    const seconds = { style: "unit", unit: "second", unitDisplay: "narrow", maximumFractionDigits: 2 } as const;
    return formatNumber(value / 1000, unit, { reader, options: seconds });
  }
  const amount = unit.kind === "money" ? value / 10 ** currencyExponent(unit.currency) : value;
  const short = {
    ...optionsOf(unit),
    notation: "compact",
    minimumFractionDigits: 0,
    maximumFractionDigits: 1,
  } as const;
  return formatNumber(amount, unit, { reader, options: short });
};

/**
 * The start of a point's period. @param at `2026-11-26`, `2026-11` for a month, an ISO instant for an hour or a time
 */
export const formatPoint = (at: string, interval: ChartInterval, reader: Reader): string => {
  const format = (date: string, options: Intl.DateTimeFormatOptions) =>
    keepOnOneLine(new Intl.DateTimeFormat(reader.locale, options).format(new Date(date)));
  switch (interval) {
    case "time":
      return format(at, { hour: "2-digit", minute: "2-digit", timeZone: reader.timeZone });
    case "hour":
      return format(at, {
        day: "numeric",
        month: "short",
        hour: "2-digit",
        minute: "2-digit",
        timeZone: reader.timeZone,
      });
    case "month":
      return format(`${at.slice(0, 7)}-01`, { month: "short", year: "numeric", timeZone: "UTC" });
    case "day":
    case "week":
      return format(at.slice(0, 10), { day: "numeric", month: "short", timeZone: "UTC" });
  }
};
