import { addSeconds } from "../../kernel/time/clock.ts";

const minute = 60;
const hour = 60 * minute;

/** Pauses after the first, second … failed attempt: ten attempts within 72 hours. */
const pauses: readonly number[] = [5, minute, 10 * minute, hour, 3 * hour, 6 * hour, 12 * hour, 20 * hour, 29 * hour];

/** Maximum pause that a receiver may request, so that the attempts stay within three days and a few hours. */
const longestRequested = hour;

/**
 * @param attempts attempts so far, all failed.
 * @param retryAfter the pause that the receiver requests, in seconds, if any.
 * @returns the time of the next attempt; null if there are no more.
 */
export const nextAttemptAt = (attempts: number, now: Date, retryAfter: number | null): Date | null => {
  const pause = pauses[attempts - 1];
  return pause === undefined ? null : addSeconds(now, Math.max(pause, Math.min(retryAfter ?? 0, longestRequested)));
};

/** RFC 9110 §10.2.3. @returns seconds from `now`; null if the header is missing or invalid. */
export const parseRetryAfter = (value: string | undefined, now: Date): number | null => {
  if (value === undefined) return null;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  // Accepts only the date format that senders must generate, not the two obsolete ones.
  const at = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/.test(value)
    ? Date.parse(value)
    : Number.NaN;
  return Number.isNaN(at) ? null : Math.max(0, Math.ceil((at - now.getTime()) / 1000));
};
