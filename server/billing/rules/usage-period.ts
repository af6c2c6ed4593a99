/** Half-open: what happened at `to` is of the next one. */
export type Period = { from: Date; to: Date };

const maxDays = 366;
const dayMs = 24 * 3600 * 1000;

/** The calendar month in UTC that an instant lies in begins then. */
const monthStart = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1));

/** Where nothing is said: the month so far. */
export const periodOf = ({ from, to }: { from: Date | null; to: Date | null }, now: Date): Period => {
  const end = to ?? now;
  return { from: from ?? monthStart(end), to: end };
};

/** What is wrong with one, and of which field; null: nothing. */
export const periodProblem = ({ from, to }: Period): { pointer: "#from"; detail: string } | null => {
  if (from > to) return { pointer: "#from", detail: "must not be after the end of the period" };
  if (to.getTime() - from.getTime() > maxDays * dayMs) {
    return { pointer: "#from", detail: `must be at most ${maxDays} days before the end of the period` };
  }
  return null;
};

const minuteMs = 60 * 1000;

/** The hours (UTC) that lie whole within a period, from the first to the end of the last; where there are none, nothing. */
export const wholeHours = (period: Period): Period => wholeOf(period, 60 * minuteMs);

export const wholeMinutes = (period: Period): Period => wholeOf(period, minuteMs);

const wholeOf = ({ from, to }: Period, unitMs: number): Period => {
  const begins = Math.ceil(from.getTime() / unitMs) * unitMs;
  const ends = Math.floor(to.getTime() / unitMs) * unitMs;
  return begins < ends ? { from: new Date(begins), to: new Date(ends) } : { from, to: from };
};
