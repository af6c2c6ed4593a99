import type { ResetSchedule } from "../deps/config.ts";

/** The weekdays in the order of Date.getDay(). */
export const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const week = 7 * 24 * 3_600_000;

/**
 * @param text for example `sun 03:00` (the default for an empty text), or `off`.
 * @throws Error that says what the text must be.
 */
export const parseResetSchedule = (text: string): ResetSchedule | null => {
  if (text === "off") return null;
  const [, day = "", hour, minute] = /^([a-z]{3}) ([01]\d|2[0-3]):([0-5]\d)$/.exec(text || "sun 03:00") ?? [];
  const weekday = weekdays.indexOf(day);
  if (weekday < 0) throw new Error("must be a weekday and a time in UTC, for example `sun 03:00`, or `off`");
  return { weekday, hour: Number(hour), minute: Number(minute) };
};

/** The schedule as pg-boss needs it: five fields, in UTC. */
export const cronOf = ({ weekday, hour, minute }: ResetSchedule): string => `${minute} ${hour} * * ${weekday}`;

/** The announced duration; the reset itself takes seconds. */
export const resetWindowSeconds = 15 * 60;

/** @returns whether the announced window of the last reset is over. Then a missed reset is skipped. */
export const isTooLate = (schedule: ResetSchedule, now: Date): boolean =>
  sinceLastReset(schedule, now) > resetWindowSeconds * 1000;

/** After this time a skipped reset isn't reported any more. */
const reportMilliseconds = 6 * 3_600_000;

/** @returns whether the last reset is so long ago that it is skipped without a report. */
export const isLongAgo = (schedule: ResetSchedule, now: Date): boolean =>
  sinceLastReset(schedule, now) > reportMilliseconds;

/** Time since the last scheduled reset, in milliseconds. */
const sinceLastReset = (schedule: ResetSchedule, now: Date): number =>
  now.getTime() - lastReset(schedule, now).getTime();

/** @returns the scheduled time of the last reset, at or before `now`. */
export const lastReset = (schedule: ResetSchedule, now: Date): Date =>
  new Date(nextReset(schedule, now).getTime() - week);

/** @returns the first reset after `now`. */
export const nextReset = ({ weekday, hour, minute }: ResetSchedule, now: Date): Date => {
  const days = now.getUTCDate() + weekday - now.getUTCDay();
  const sameWeek = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), days, hour, minute);
  return new Date(sameWeek > now.getTime() ? sameWeek : sameWeek + week);
};
