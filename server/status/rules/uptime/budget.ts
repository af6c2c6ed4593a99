import type { Span } from "./intervals.ts";
import type { Tally } from "./uptime.ts";
import { dayMilliseconds } from "./utc-calendar.ts";

/** Shares are in ten-thousandths, as a component's objective is. */
const wholeShare = 10_000;

/** Milliseconds of a UTC calendar month that a component may be down, and what is left of them. */
export type Budget = { allowed: number; used: number; left: number; isUsedUp: boolean };

/** The whole month's budget: 99.9 % of 30 days leave 43.2 minutes. */
export const budgetOf = ({ down }: Pick<Tally, "down">, objective: number, month: Span): Budget => {
  const allowed = Math.floor(((month.to - month.from) * (wholeShare - objective)) / wholeShare);
  return { allowed, used: down, left: Math.max(0, allowed - down), isUsedUp: down >= allowed };
};

/** While the budget lasts feature work continues; where it is used up reliability comes first until it recovers. */
export const policyOf = ({ isUsedUp }: Pick<Budget, "isUsedUp">): "features" | "reliability_first" =>
  isUsedUp ? "reliability_first" : "features";

/** How many times faster than the objective allows; at 1 a month's budget lasts the month. Null: nothing was measured. */
export const burnRate = ({ up, down }: Pick<Tally, "up" | "down">, objective: number): number | null =>
  up + down === 0 ? null : (down * wholeShare) / ((up + down) * (wholeShare - objective));

/** What becomes of this month's budget at the present burn rate. Every word about it goes by this, so that none contradicts another. */
export type Forecast =
  | { kind: "used_up" | "unmeasured" | "unused" }
  /** there is enough for the rest of the month, whatever the rate is */
  | { kind: "lasts"; rate: number }
  /** what is left is gone before the month ends, after so many milliseconds */
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

/** A forecast in sentences. */
export const describeForecast = (forecast: Forecast): string => {
  switch (forecast.kind) {
    case "used_up":
      return "The budget of this month is used up: reliability comes first until it recovers.";
    case "unmeasured":
      return "Nothing was measured in the last 6 hours, so there is no burn rate.";
    case "unused":
      return "No budget was used in the last 6 hours.";
    case "lasts":
      return `${rateText(forecast.rate)} What is left lasts until the end of the month.`;
    case "runs_out":
      return `${rateText(forecast.rate)} At this rate what is left is used up in ${durationText(forecast.milliseconds)}.`;
  }
};

/** Minutes to one digit, rounded down: `43.2`. */
const minutesText = (milliseconds: number): string => String(Math.floor(milliseconds / 6_000) / 10);

/** A budget and its forecast in a few words. */
export const summarizeBudget = ({ left, allowed }: Pick<Budget, "left" | "allowed">, forecast: Forecast): string => {
  if (forecast.kind === "used_up") return "budget used up: reliability first";
  const words = `${minutesText(left)} of ${minutesText(allowed)} min of budget left`;
  return forecast.kind === "runs_out"
    ? `${words}, used up in ${durationText(forecast.milliseconds)} at the present rate`
    : words;
};

const rateText = (rate: number): string => {
  const shown = rate < 0.1 ? "below 0.1" : (Math.floor(rate * 10) / 10).toFixed(1);
  return `Burn rate of the last 6 hours: ${shown} (1 uses a whole budget in a whole month).`;
};

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
