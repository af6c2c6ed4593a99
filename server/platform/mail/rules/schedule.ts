import { addSeconds } from "../../../kernel/time/clock.ts";

const minute = 60;
const hour = 60 * minute;

/** Pauses after the first, second … try that failed: nine tries within two days. */
const pauses: readonly number[] = [10, minute, 5 * minute, 30 * minute, 2 * hour, 6 * hour, 12 * hour, 24 * hour];

/**
 * @param attempts tries so far, all of them failed.
 * @param uselessAfter by then the mail must be under way; null: whenever.
 * @returns when to try again; null: no more.
 */
export const nextTryAt = (attempts: number, now: Date, uselessAfter: Date | null): Date | null => {
  const pause = pauses[attempts - 1];
  if (pause === undefined) return null;
  const next = addSeconds(now, pause);
  return uselessAfter !== null && next >= uselessAfter ? null : next;
};
