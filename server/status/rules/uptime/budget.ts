import type { Span } from "./intervals.ts";
import type { Tally } from "./uptime.ts";
import { dayMilliseconds } from "./utc-calendar.ts";

/** Objectives are in ten-thousandths. */
const wholeShare = 10_000;

/** Error budget of a UTC calendar month, in milliseconds of downtime. */
export type Budget = { allowed: number; used: number; left: number; isUsedUp: boolean };

/** The budget of the whole month: 99.9% of 30 days allows 43.2 minutes. */
export const budgetOf = ({ down }: Pick<Tally, "down">, objective: number, month: Span): Budget => {
  const allowed = Math.floor(((month.to - month.from) * (wholeShare - objective)) / wholeShare);
  return { allowed, used: down, left: Math.max(0, allowed - down), isUsedUp: down >= allowed };
};

/**
 * Feature work continues while the budget lasts. Once it is used up, reliability comes first until the next month
 * (UTC).
 */
export const policyOf = ({ isUsedUp }: Pick<Budget, "isUsedUp">): "features" | "reliability_first" =>
  isUsedUp ? "reliability_first" : "features";

/** Budget use relative to the objective: at 1 a month's budget lasts exactly a month. Null: nothing was measured. */
export const burnRate = ({ up, down }: Pick<Tally, "up" | "down">, objective: number): number | null =>
  up + down === 0 ? null : (down * wholeShare) / ((up + down) * (wholeShare - objective));

/** This month's budget at the current burn rate. All texts derive from it, so that they never contradict each other. */
export type Forecast =
  | { kind: "used_up" | "unmeasured" | "unused" }
  /** enough for the rest of the month at this rate */
  | { kind: "lasts"; rate: number }
  /** used up after `milliseconds`, before the month ends */
  | { kind: "runs_out"; rate: number; milliseconds: number };

export const forecastOf = (
  { rate, budget, objective }: { rate: number | null; budget: Budget; objective: number },
  { now, monthEnd }: { now: number; monthEnd: number },
): Forecast => {
  if (budget.isUsedUp) return { kind: "used_up" };
  if (rate === null) return { kind: "unmeasured" };
  if (rate === 0) return { kind: "unused" };
  const milliseconds = (budget.left * wholeShare) / (rate * (wholeShare - objective));
  return now + milliseconds >= monthEnd ? { kind: "lasts", rate } : { kind: "runs_out", rate, milliseconds };
};

/** What the forecast means, without the burn rate. */
export const meaningOf = (forecast: Forecast): string => {
  switch (forecast.kind) {
    case "used_up":
      return "This month’s budget is used up, so reliability comes first until the next month.";
    case "unmeasured":
      return "Nothing was measured in the last 6 hours, so there is no burn rate.";
    case "unused":
      return "No budget was used in the last 6 hours.";
    case "lasts":
      return "The rest of the budget lasts until the end of the month.";
    case "runs_out":
      return `At this rate, the rest of the budget is used up in ${durationText(forecast.milliseconds)}.`;
  }
};

export const describeForecast = (forecast: Forecast): string =>
  "rate" in forecast ? `${rateText(forecast.rate)} ${meaningOf(forecast)}` : meaningOf(forecast);

/** Minutes with at most one decimal, rounded down: `43.2`. */
export const minutesText = (milliseconds: number): string => String(Math.floor(milliseconds / 6_000) / 10);

/** One line about a budget and its forecast. */
export const summarizeBudget = ({ left, allowed }: Pick<Budget, "left" | "allowed">, forecast: Forecast): string => {
  if (forecast.kind === "used_up") return "error budget used up: reliability comes first";
  const text = `error budget: ${minutesText(left)} of ${minutesText(allowed)} min left`;
  return forecast.kind === "runs_out"
    ? `${text}; at the current rate, it is used up in ${durationText(forecast.milliseconds)}`
    : text;
};

/** With one decimal, rounded down. */
export const rateValue = (rate: number): string =>
  rate > 0 && rate < 0.1 ? "below 0.1" : (Math.floor(rate * 10) / 10).toFixed(1);

const rateText = (rate: number): string =>
  `Burn rate of the last 6 hours: ${rateValue(rate)} (at 1, the budget lasts exactly a month).`;

const durationText = (milliseconds: number): string => {
  const units = [
    [dayMilliseconds, "day"],
    [3_600_000, "hour"],
    [60_000, "minute"],
  ] as const;
  for (const [length, name] of units) {
    const count = Math.floor(milliseconds / length);
    if (count > 0) return count === 1 ? `1 ${name}` : `${count} ${name}s`;
  }
  return "less than a minute";
};
