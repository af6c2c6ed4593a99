const hourMs = 3600 * 1000;
const dayMs = 24 * hourMs;

/** If the usage of an invoice isn't reconciled, the invoice is tried again at this interval. */
export const reconciliationRetrySeconds = 300;

const startOfDay = (time: number): number => Math.floor(time / dayMs) * dayMs;

/** A day is compared one hour after its end. By then, every node has written its last events of the day. */
const marginMs = hourMs;

/** @returns the start of the first UTC day that can't be compared yet. */
export const comparableUntil = (now: Date): Date => new Date(startOfDay(now.getTime() - marginMs));

/** The first time after `now` at which one more day can be compared. */
export const nextComparison = (now: Date): Date => new Date(comparableUntil(now).getTime() + dayMs + marginMs);

/** When the last UTC day of a period can be compared. */
export const lastComparison = ({ to }: { to: Date }): Date =>
  new Date(Math.ceil(to.getTime() / dayMs) * dayMs + marginMs);

type Days = { days: readonly Date[]; maxDays: number };

/** Divides days into ranges of consecutive days, each from the start of its first day to the end of its last one. */
export const toRanges = ({ days, maxDays }: Days): { from: Date; to: Date }[] => {
  const starts = [...new Set(days.map((day) => day.getTime()))].toSorted((left, right) => left - right);
  const ranges: { from: Date; to: Date }[] = [];
  for (const start of starts) {
    const last = ranges.at(-1);
    const next = new Date(start + dayMs);
    if (last?.to.getTime() === start && next.getTime() - last.from.getTime() <= maxDays * dayMs) last.to = next;
    else ranges.push({ from: new Date(start), to: next });
  }
  return ranges;
};

/**
 * The days to compare: the given days and, for each new day, the earlier day whose deadline for late events has passed
 * since the last comparison.
 * @param acceptedDays how long usage events are accepted after their time
 */
export const withDeadlines = (found: readonly { day: Date; isMissing: boolean }[], acceptedDays: number): Date[] =>
  found.flatMap(({ day, isMissing }) =>
    isMissing ? [day, new Date(day.getTime() - (acceptedDays + 1) * dayMs)] : [day],
  );
