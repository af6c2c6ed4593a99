import { Temporal } from "temporal-polyfill";
import type { Period } from "./usage-period.ts";

export const usageWindows = ["hour", "day", "month"] as const;
export type UsageWindow = (typeof usageWindows)[number];

const hourMs = 3600 * 1000;
const maxHourlyDays = 31;

/** Why a period can't be divided into these windows; null if it can. */
export const usageWindowProblem = ({ from, to }: Period, window: UsageWindow): string | null =>
  window === "hour" && to.getTime() - from.getTime() > maxHourlyDays * 24 * hourMs
    ? `Hourly windows are available for at most ${maxHourlyDays} days. Choose fewer days, or another window.`
    : null;

/** The first instant of the next calendar window. Hours have no gaps, even when clocks change. */
const nextStart = (at: Temporal.ZonedDateTime, window: UsageWindow): Temporal.ZonedDateTime => {
  if (window === "month") return at.with({ day: 1 }).startOfDay().add({ months: 1 }).startOfDay();
  if (window === "day") return at.startOfDay().add({ days: 1 }).startOfDay();
  const intoHour = ((at.minute * 60 + at.second) * 1000 + at.millisecond) % hourMs;
  return at.add({ milliseconds: hourMs - intoHour });
};

/**
 * The windows of a period in order, without gaps. The first and the last may be incomplete.
 * @param timeZone an IANA name
 */
export const divideIntoWindows = (
  period: Period,
  { window, timeZone }: { window: UsageWindow; timeZone: string },
): Period[] => {
  const windows: Period[] = [];
  for (let from = period.from; from < period.to; ) {
    const local = Temporal.Instant.fromEpochMilliseconds(from.getTime()).toZonedDateTimeISO(timeZone);
    const next = new Date(nextStart(local, window).epochMilliseconds);
    const to = next < period.to ? next : period.to;
    windows.push({ from, to });
    from = to;
  }
  return windows;
};

/**
 * The starts of the hours or minutes (UTC) that a bound of the period divides. The events of these hours or minutes are
 * counted one by one.
 */
export const dividedUnits = (bounds: readonly Date[], unit: "hour" | "minute"): Date[] => {
  const unitMs = unit === "hour" ? hourMs : 60 * 1000;
  const starts = bounds
    .filter((bound) => bound.getTime() % unitMs !== 0)
    .map((bound) => Math.floor(bound.getTime() / unitMs) * unitMs);
  return [...new Set(starts)].map((start) => new Date(start));
};
