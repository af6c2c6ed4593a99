import type { AlertRule } from "../board.ts";
import { burnRate } from "./budget.ts";
import type { Span } from "./intervals.ts";
import type { Tally } from "./uptime.ts";

const minute = 60_000;
const hour = 60 * minute;

type BurnRule = { rule: AlertRule; limit: number; longMilliseconds: number; shortMilliseconds: number };

/** An alert burns where both windows do: the long one says that it matters, the short one that it still goes on. */
const rules: readonly BurnRule[] = [
  { rule: "page_fast", limit: 14.4, longMilliseconds: hour, shortMilliseconds: 5 * minute },
  { rule: "page_slow", limit: 6, longMilliseconds: 6 * hour, shortMilliseconds: 30 * minute },
  { rule: "ticket", limit: 1, longMilliseconds: 72 * hour, shortMilliseconds: 6 * hour },
];

/** A probe runs every 30 seconds; of fewer runs than these nobody is woken. */
const runMilliseconds = 30_000;
const minimumRuns = 10;
const minimumFailedRuns = 2;

const hasEnoughRuns = ({ up, down }: Tally): boolean =>
  up + down >= minimumRuns * runMilliseconds && down >= minimumFailedRuns * runMilliseconds;

type BurningRule = { rule: AlertRule; burnRate: number };

/**
 * The alert rules that burn now, each with the rate of its long window.
 * @param tallyOf what a window counts (uptime.ts).
 * @param measuredUntil the end of what is known, where windows end: behind it there is nothing to count.
 */
export const burningRules = (
  { tallyOf, objective }: { tallyOf: (window: Span) => Tally; objective: number },
  measuredUntil: number,
): BurningRule[] =>
  rules.flatMap(({ rule, limit, longMilliseconds, shortMilliseconds }) => {
    const long = tallyOf({ from: measuredUntil - longMilliseconds, to: measuredUntil });
    const short = tallyOf({ from: measuredUntil - shortMilliseconds, to: measuredUntil });
    const [longRate, shortRate] = [burnRate(long, objective), burnRate(short, objective)];
    const burns = longRate !== null && longRate >= limit && shortRate !== null && shortRate >= limit;
    return burns && hasEnoughRuns(long) ? [{ rule, burnRate: longRate }] : [];
  });
