import { addSeconds } from "../../kernel/time/clock.ts";

const historySeconds = 90 * 86_400;

const form = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|([+-])(\d{2}):(\d{2}))$/;

/**
 * XML Schema 1.1 dateTimeStamp, which W3C Bitstring Status List v1.0 §3.2 takes a `timestamp` in; fractions are cut to
 * milliseconds. @returns null for what is none, and for a day that isn't in the calendar.
 */
export const parseTimestamp = (text: string): Date | null => {
  const [, day, , , sign, hours, minutes] = form.exec(text) ?? [];
  const instant = Date.parse(text);
  if (day === undefined || Number.isNaN(instant)) return null;
  const offset = (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return new Date(instant + offset).toISOString().startsWith(day) ? new Date(instant) : null;
};

/** RFC 7519 §2, NumericDate, of whole seconds. @returns null for what is none. */
export const parseNumericDate = (text: string): Date | null =>
  /^\d{1,11}$/.test(text) ? new Date(Number(text) * 1000) : null;

export type PastProblem = "must not be in the future" | "must be at most 90 days ago";

/** Which instants there is an answer for (docs/spec/payments.md, Status lists). @returns null where there is one. */
export const problemOfPast = (at: Date, now: Date): PastProblem | null => {
  if (at > now) return "must not be in the future";
  return at < addSeconds(now, -historySeconds) ? "must be at most 90 days ago" : null;
};
