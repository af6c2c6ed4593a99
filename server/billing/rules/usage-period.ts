import { Temporal } from "temporal-polyfill";

/** Half-open: `to` belongs to the next period. */
export type Period = { from: Date; to: Date };

const maxDays = 366;
const dayMs = 24 * 3600 * 1000;

/** The start of the calendar month of an instant. */
const monthStart = (at: Date, timeZone: string): Date => {
  const local = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(timeZone);
  return new Date(local.with({ day: 1 }).startOfDay().epochMilliseconds);
};

type Requested = { from: Date | null; to: Date | null };

/** The requested period. The default is the current month so far. @param timeZone an IANA name */
export const periodOf = ({ from, to }: Requested, now: Date, timeZone = "UTC"): Period => {
  const end = to ?? now;
  return { from: from ?? monthStart(end, timeZone), to: end };
};

const earliest = Date.UTC(1970, 0);
/** RFC 3339 and PostgreSQL's ISO format have years of four digits. An offset can move a time out of this range. */
const latest = Date.UTC(10_000, 0) - 1;

/** The problem with a period and its field; null if it is valid. */
export const periodProblem = ({ from, to }: Period): { pointer: "#from" | "#to"; detail: string } | null => {
  if (to.getTime() > latest) return { pointer: "#to", detail: "must be before the year 10000" };
  if (from.getTime() < earliest) return { pointer: "#from", detail: "must not be before the year 1970" };
  if (from > to) return { pointer: "#from", detail: "must not be after the end of the period" };
  if (to.getTime() - from.getTime() > maxDays * dayMs) {
    return { pointer: "#from", detail: `must be at most ${maxDays} days before the end of the period` };
  }
  return null;
};
