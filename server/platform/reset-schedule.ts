import type { ResetSchedule } from "../deps/config.ts";

/** In the order of Date. */
export const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"];
const week = 7 * 24 * 3_600_000;

/** @param text `sun 03:00` (also where it is empty), or `off`. @throws Error with what it should be. */
export const parseResetSchedule = (text: string): ResetSchedule | null => {
  if (text === "off") return null;
  const [, day = "", hour, minute] = /^([a-z]{3}) ([01]\d|2[0-3]):([0-5]\d)$/.exec(text || "sun 03:00") ?? [];
  const weekday = weekdays.indexOf(day);
  if (weekday < 0) throw new Error("must be a day and a time of the week in UTC, for example `sun 03:00`, or `off`");
  return { weekday, hour: Number(hour), minute: Number(minute) };
};

/** For pg-boss: five fields, UTC. */
export const cronOf = ({ weekday, hour, minute }: ResetSchedule): string => `${minute} ${hour} * * ${weekday}`;

/** What is announced; the reset itself takes seconds. */
export const resetWindowSeconds = 15 * 60;

/** @returns whether the last reset's announced time is over: nobody expects one then, and it is left out. */
export const isTooLate = (schedule: ResetSchedule, now: Date): boolean =>
  lateness(schedule, now) > resetWindowSeconds * 1000;

/** Hours later nobody need be told that it was left out. */
const memorableMilliseconds = 6 * 3_600_000;

/** @returns whether the last reset was to be so long ago that it is left out without a word: nobody was there for it. */
export const isLongAgo = (schedule: ResetSchedule, now: Date): boolean =>
  lateness(schedule, now) > memorableMilliseconds;

/** In milliseconds. */
const lateness = (schedule: ResetSchedule, now: Date): number => now.getTime() - lastReset(schedule, now).getTime();

/** @returns when the last one was to be, by `now`. */
export const lastReset = (schedule: ResetSchedule, now: Date): Date =>
  new Date(nextReset(schedule, now).getTime() - week);

/** @returns the first reset after `now`. */
export const nextReset = ({ weekday, hour, minute }: ResetSchedule, now: Date): Date => {
  const days = now.getUTCDate() + weekday - now.getUTCDay();
  const sameWeek = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), days, hour, minute);
  return new Date(sameWeek > now.getTime() ? sameWeek : sameWeek + week);
};
