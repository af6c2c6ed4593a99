import { addSeconds } from "../../kernel/clock.ts";

const minute = 60;
const hour = 60 * minute;

/** Pauses after the first, second … try that failed: ten tries over three days less an hour. */
const pauses: readonly number[] = [5, minute, 10 * minute, hour, 3 * hour, 6 * hour, 12 * hour, 20 * hour, 29 * hour];

/** @param attempts tries so far, all of them failed. @returns when to try again; null: no more. */
export const nextAttemptAt = (attempts: number, now: Date): Date | null => {
  const pause = pauses[attempts - 1];
  return pause === undefined ? null : addSeconds(now, pause);
};
