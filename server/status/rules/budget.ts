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

/** What a burn rate means for this month's budget, in a sentence. */
export const describeBurn = (
  { rate, budget, objective }: { rate: number | null; budget: Budget; objective: number },
  { now, monthEnd }: { now: number; monthEnd: number },
): string => {
  if (budget.isUsedUp) return "The budget of this month is used up: reliability comes first until it recovers.";
  if (rate === null) return "Nothing was measured, so nothing can be said of the budget.";
  if (rate === 0) return "No budget is being used.";
  const lastsMilliseconds = (budget.left * wholeShare) / (rate * (wholeShare - objective));
  if (now + lastsMilliseconds >= monthEnd) return "At this rate the budget lasts until the end of the month.";
  return `At this rate what is left of the budget is used up in ${durationText(lastsMilliseconds)}.`;
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
