import { oneYearAfter } from "../../kernel/time/calendar.ts";

/** RFC 3339 §5.6 with an upper-case T, seconds and an offset; digits below a millisecond are dropped. */
const rfc3339 = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/;

/** @returns null unless the text is an existing RFC 3339 date-time. */
export const parseInstant = (text: string): Date | null => {
  const match = rfc3339.exec(text);
  if (!match) return null;
  const milliseconds = Date.parse(text.replace(/(\.\d{3})\d+/, "$1"));
  if (Number.isNaN(milliseconds)) return null;
  // Date.parse reads 30 February as 2 March, and 24:00 as the next day.
  const [year = 0, month = 0, day = 0] = text.slice(0, 10).split("-").map(Number);
  const exists = day <= new Date(Date.UTC(year, month, 0)).getUTCDate() && Number(text.slice(11, 13)) < 24;
  return exists ? new Date(milliseconds) : null;
};

export type Window = { validFrom: Date; validUntil: Date };

/** A start that is absent or past becomes the time of consent. An absent end becomes one calendar year later. */
export const resolveWindow = (
  requested: { from: Date | null; until: Date | null },
  timeZone: string,
  consentedAt: Date,
): Window => {
  const validFrom = requested.from && requested.from > consentedAt ? requested.from : consentedAt;
  return { validFrom, validUntil: requested.until ?? oneYearAfter(validFrom, timeZone) };
};

export type WindowProblem =
  | "must be later than now and later than valid_from"
  | "must be at most one calendar year ahead";

/**
 * The problem with a window; null if it is valid. The end must be later than the request and valid_from, by at most one
 * calendar year.
 */
export const windowProblem = (
  requested: { from: Date | null; until: Date | null },
  timeZone: string,
  requestedAt: Date,
): WindowProblem | null => {
  if (!requested.until) return null;
  const base = requested.from && requested.from > requestedAt ? requested.from : requestedAt;
  if (requested.until <= base) return "must be later than now and later than valid_from";
  return requested.until > oneYearAfter(base, timeZone) ? "must be at most one calendar year ahead" : null;
};
