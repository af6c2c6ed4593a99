import { addSeconds } from "../../kernel/time/clock.ts";

const minute = 60;
const hour = 60 * minute;

/** Pauses after the first, second … try that failed: ten tries over three days less an hour. */
const pauses: readonly number[] = [5, minute, 10 * minute, hour, 3 * hour, 6 * hour, 12 * hour, 20 * hour, 29 * hour];

/** As long as a receiver may ask for: the tries stay within three days and some hours. */
const longestAsked = hour;

/**
 * @param attempts tries so far, all of them failed. @param retryAfter the receiver's own wish, in seconds, where it has one.
 * @returns when to try again; null: no more.
 */
export const nextAttemptAt = (attempts: number, now: Date, retryAfter: number | null): Date | null => {
  const pause = pauses[attempts - 1];
  return pause === undefined ? null : addSeconds(now, Math.max(pause, Math.min(retryAfter ?? 0, longestAsked)));
};

/** RFC 9110 §10.2.3. @returns seconds from `now`; null where it is missing or neither a number of seconds nor a date. */
export const parseRetryAfter = (value: string | undefined, now: Date): number | null => {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  // Of the date's three forms the one that is still made.
  const at = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(value)
    ? Date.parse(value)
    : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now.getTime()) / 1000));
};
