import type { AlertRule } from "../board.ts";
import { burnRate } from "./budget.ts";
import type { Span } from "./intervals.ts";
import type { Tally } from "./uptime.ts";

const minute = 60_000;
const hour = 60 * minute;

type BurnRule = { rule: AlertRule; limit: number; longMilliseconds: number; shortMilliseconds: number };

/**
 * A rule fires if the burn rates of both windows reach its limit. The long window shows that the problem is
 * significant, the short window that it continues.
 */
const rules: readonly BurnRule[] = [
  { rule: "page_fast", limit: 14.4, longMilliseconds: hour, shortMilliseconds: 5 * minute },
  { rule: "page_slow", limit: 6, longMilliseconds: 6 * hour, shortMilliseconds: 30 * minute },
  { rule: "ticket", limit: 1, longMilliseconds: 72 * hour, shortMilliseconds: 6 * hour },
];

/** A probe runs every 30 seconds. Fewer than ten runs, or fewer than two failed runs, don't page operators. */
const runMilliseconds = 30_000;
const minimumRuns = 10;
const minimumFailedRuns = 2;

const hasEnoughRuns = ({ up, down }: Tally): boolean =>
  up + down >= minimumRuns * runMilliseconds && down >= minimumFailedRuns * runMilliseconds;

type BurningRule = { rule: AlertRule; burnRate: number };

/**
 * The alert rules that fire, each with the burn rate of its long window.
 * @param tallyOf the tally of a window (uptime.ts).
 * @param measuredUntil end of the windows: later time isn't measured.
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
