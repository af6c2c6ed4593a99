import { addSeconds } from "../../../kernel/time/clock.ts";

const minute = 60;
const hour = 60 * minute;

/** The delays after the first, second … failed attempt: nine attempts within two days. */
const pauses: readonly number[] = [10, minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 12 * hour, 24 * hour];

/**
 * @param attempts the number of failed attempts so far.
 * @param obsoleteAfter from this time on, the mail isn't sent; null: no limit.
 * @returns the time of the next attempt, null for none.
 */
export const nextTryAt = (attempts: number, now: Date, obsoleteAfter: Date | null): Date | null => {
  const pause = pauses[attempts - 1];
  if (pause === undefined) return null;
  const next = addSeconds(now, pause);
  return obsoleteAfter !== null && next >= obsoleteAfter ? null : next;
};
