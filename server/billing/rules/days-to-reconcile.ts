const dayMs = 24 * 3600 * 1000;
/** Longer gaps occur only in the sandbox, whose clock can be moved by years. */
const maxDays = 62;

type Input = {
  /** the latest day that was compared; null if there is none */
  last: Date | null;
  now: Date;
  /** how long usage events are accepted after their time */
  acceptedDays: number;
};

/**
 * The UTC days to compare, oldest first: the full days since the last compared day, at most 62, and the latest day for
 * which events are no longer accepted.
 */
export const daysToReconcile = ({ last, now, acceptedDays }: Input): Date[] => {
  const today = Math.floor(now.getTime() / dayMs) * dayMs;
  const first = last === null ? today - dayMs : Math.max(last.getTime() + dayMs, today - maxDays * dayMs);
  const days = [today - (acceptedDays + 2) * dayMs];
  for (let day = first; day < today; day += dayMs) days.push(day);
  return [...new Set(days)].toSorted((left, right) => left - right).map((day) => new Date(day));
};
