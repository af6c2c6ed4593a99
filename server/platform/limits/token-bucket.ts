import type { Quota } from "../../deps/config.ts";

export type Level = {
  /** whole requests that would be admitted now */
  remaining: number;
  /** the wait until one more request would be admitted */
  untilNextMilliseconds: number;
};

export type TakeResult = Level & { isAllowed: boolean; fullAt: number };

/** Rounding of milliseconds must not refuse the last request of a full bucket. */
const rounding = 1e-3;

/** How long one request takes to drain, in milliseconds. */
export const costOf = ({ requests, seconds }: Quota): number => (seconds * 1000) / requests;

/**
 * Maximum debt, in milliseconds, that reports of other nodes can cause: one period of the quota, and one more for
 * concurrent requests. It limits how long a caller is refused after a clock steps back.
 */
export const maxDebtMilliseconds = ({ seconds }: Quota): number => 2 * seconds * 1000;

/**
 * Takes one request out of a bucket (generic cell rate algorithm). The only state is the time at which the bucket is
 * full again.
 * @param fullAt any time in the past for a full bucket. @param now milliseconds of the same clock.
 */
export const take = (quota: Quota, fullAt: number, now: number): TakeResult => {
  const owed = Math.max(fullAt - now, 0);
  const cost = costOf(quota);
  const isAllowed = owed + cost <= quota.seconds * 1000 + rounding;
  const owedAfter = isAllowed ? owed + cost : owed;
  return { isAllowed, fullAt: now + owedAfter, ...levelOf(quota, owedAfter) };
};

/** Takes several requests together; the bucket may go into debt. */
export const drain = (
  quota: Quota,
  { fullAt, now, requests }: { fullAt: number; now: number; requests: number },
): Level & { fullAt: number } => {
  const owed = Math.max(fullAt - now, 0) + requests * costOf(quota);
  return { fullAt: now + owed, ...levelOf(quota, owed) };
};

/**
 * A bucket can be in debt: several nodes may have allowed requests concurrently, or the bucket may have been drained.
 * Then it admits no request until the debt is repaid.
 */
const levelOf = (quota: Quota, owed: number): Level => {
  const cost = costOf(quota);
  const room = quota.seconds * 1000 - owed;
  const remaining = Math.max(0, Math.floor((room + rounding) / cost));
  return { remaining, untilNextMilliseconds: Math.max(0, (remaining + 1) * cost - room) };
};
