import { addSeconds } from "../../kernel/time/clock.ts";

const historySeconds = 90 * 86_400;

const form = /^(\d{4}-\d{2}-\d{2})T\d{2}:\d{2}:\d{2}(\.\d{1,9})?(Z|([+-])(\d{2}):(\d{2}))$/;

/**
 * Parses an XML Schema 1.1 dateTimeStamp, the format of `timestamp` in W3C Bitstring Status List v1.0 §3.2. Fractions
 * are truncated to milliseconds.
 * @returns null for other text and for a date that doesn't exist.
 */
export const parseTimestamp = (text: string): Date | null => {
  const [, day, , , sign, hours, minutes] = form.exec(text) ?? [];
  const instant = Date.parse(text);
  if (day === undefined || Number.isNaN(instant)) return null;
  const offset = (sign === "-" ? -1 : 1) * (Number(hours ?? 0) * 60 + Number(minutes ?? 0)) * 60_000;
  return new Date(instant + offset).toISOString().startsWith(day) ? new Date(instant) : null;
};

/** Parses a NumericDate of whole seconds (RFC 7519 §2). @returns null for other text. */
export const parseNumericDate = (text: string): Date | null =>
  /^\d{1,11}$/.test(text) ? new Date(Number(text) * 1000) : null;

export type PastProblem = "must not be in the future" | "must be at most 90 days ago";

/**
 * Checks that past lists are available for an instant (docs/spec/payments.md, Status lists).
 * @returns null if they are.
 */
export const problemOfPast = (at: Date, now: Date): PastProblem | null => {
  if (at > now) return "must not be in the future";
  return at < addSeconds(now, -historySeconds) ? "must be at most 90 days ago" : null;
};
