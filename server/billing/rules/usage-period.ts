/** Half-open: `to` belongs to the next period. */
export type Period = { from: Date; to: Date };

const maxDays = 366;
const dayMs = 24 * 3600 * 1000;

/** The start of the UTC calendar month of an instant. */
const monthStart = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1));

/** The requested period. The default is the current month so far. */
export const periodOf = ({ from, to }: { from: Date | null; to: Date | null }, now: Date): Period => {
  const end = to ?? now;
  return { from: from ?? monthStart(end), to: end };
};

/** The problem with a period and its field; null if it is valid. */
export const periodProblem = ({ from, to }: Period): { pointer: "#from"; detail: string } | null => {
  if (from > to) return { pointer: "#from", detail: "must not be after the end of the period" };
  if (to.getTime() - from.getTime() > maxDays * dayMs) {
    return { pointer: "#from", detail: `must be at most ${maxDays} days before the end of the period` };
  }
  return null;
};

const minuteMs = 60 * 1000;

/** The full UTC hours within a period; empty if there are none. */
export const wholeHours = (period: Period): Period => wholeOf(period, 60 * minuteMs);

export const wholeMinutes = (period: Period): Period => wholeOf(period, minuteMs);

const wholeOf = ({ from, to }: Period, unitMs: number): Period => {
  const begins = Math.ceil(from.getTime() / unitMs) * unitMs;
  const ends = Math.floor(to.getTime() / unitMs) * unitMs;
  return begins < ends ? { from: new Date(begins), to: new Date(ends) } : { from, to: from };
};
