import type { Quota } from "../../deps/config.ts";

export type Level = {
  /** whole requests that would pass now */
  remaining: number;
  /** until there is one more than that */
  untilNextMilliseconds: number;
};

export type Taking = Level & { isAllowed: boolean; fullAt: number };

/** Sums of fractions of a millisecond must not refuse the last request of a full bucket. */
const rounding = 1e-3;

/** How long one request takes to drain. */
export const costOf = ({ requests, seconds }: Quota): number => (seconds * 1000) / requests;

/**
 * The most that a bucket owes to other nodes' word: its own time, and as much again for what they gave at the same moment.
 * A clock that stepped back then refuses no caller for longer than the quota's own time.
 */
export const mostOwedOf = ({ seconds }: Quota): number => 2 * seconds * 1000;

/**
 * Takes one request out of a bucket (generic cell rate algorithm): its whole state is the instant at which it is full again.
 * @param fullAt any instant in the past for a full bucket; @param now milliseconds of the same clock.
 */
export const take = (quota: Quota, fullAt: number, now: number): Taking => {
  const owed = Math.max(fullAt - now, 0);
  const cost = costOf(quota);
  const isAllowed = owed + cost <= quota.seconds * 1000 + rounding;
  const owedAfter = isAllowed ? owed + cost : owed;
  return { isAllowed, fullAt: now + owedAfter, ...levelOf(quota, owedAfter) };
};

/** Takes so many requests at once, whether the bucket holds them or comes to owe them. */
export const drain = (quota: Quota, fullAt: number, now: number, requests: number): Level & { fullAt: number } => {
  const owed = Math.max(fullAt - now, 0) + requests * costOf(quota);
  return { fullAt: now + owed, ...levelOf(quota, owed) };
};

/** A bucket that owes more than it holds, since several nodes gave at once or it was drained, has nothing until that is drained. */
const levelOf = (quota: Quota, owed: number): Level => {
  const cost = costOf(quota);
  const room = quota.seconds * 1000 - owed;
  const remaining = Math.max(0, Math.floor((room + rounding) / cost));
  return { remaining, untilNextMilliseconds: Math.max(0, (remaining + 1) * cost - room) };
};
