import canonicalize from "canonicalize";
import { sha256Base64url } from "../../../kernel/crypto/hash.ts";
import type { ComponentDay, DayFigures } from "../board.ts";
import { clipSegments, type Segment, type Span } from "./intervals.ts";
import { type Counted, tally } from "./uptime.ts";
import { dayMilliseconds, dayText, utcDayOf, utcDaysOf } from "./utc-calendar.ts";

/** Probe records of a day arrive within this time after its end. */
const settlingMilliseconds = 3600 * 1000;

/** Previous hash of a component's first day. */
export const firstPreviousHash = "";

export const figuresOf = (
  { states, counted }: { states: readonly Segment[]; counted: readonly Counted[] },
  day: Span,
): DayFigures => {
  const figures: DayFigures = {
    operational: 0,
    degraded: 0,
    partial_outage: 0,
    major_outage: 0,
    maintenance: 0,
    unknown: 0,
    ...tally(counted, day),
  };
  for (const { from, to, state } of clipSegments(states, day)) figures[state] += to - from;
  return figures;
};

type HashedDay = Pick<ComponentDay, "component" | "day" | "figures" | "previousHash">;

/** base64url SHA-256 of the canonical JSON (RFC 8785) of the day, which includes the previous day's hash. */
export const hashOfDay = ({ component, day, figures, previousHash }: HashedDay): string =>
  sha256Base64url(canonicalize({ component, day: dayText(day.getTime()), figures, previous_hash: previousHash }) ?? "");

/**
 * Days to freeze now, in order and without gaps: every day that ended at least an hour ago, after the last frozen one
 * or from the first known one.
 */
export const daysToFreeze = (
  { lastFrozen, firstKnown }: { lastFrozen: Date | null; firstKnown: number | null },
  now: number,
): Span[] => {
  const from = lastFrozen === null ? firstKnown : lastFrozen.getTime() + dayMilliseconds;
  if (from === null) return [];
  return utcDaysOf({ from, to: utcDayOf(now).from }).filter(({ to }) => to + settlingMilliseconds <= now);
};

/**
 * @param days of one component, in order. @returns the first day with a wrong hash, link or date; null: the chain is
 * valid.
 */
export const findBrokenDay = (days: readonly ComponentDay[]): ComponentDay | null =>
  days.find((day, index) => {
    const before = days[index - 1];
    if (day.hash !== hashOfDay(day)) return true;
    return (
      before !== undefined &&
      (day.previousHash !== before.hash || day.day.getTime() !== before.day.getTime() + dayMilliseconds)
    );
  }) ?? null;
