/** Retention period: ten years (docs/spec/operations.md, Data retention). */
const auditYears = 10;

/** If a month ended before this instant, its entries may be deleted. */
export const retiredBefore = (now: Date): Date => {
  const date = new Date(now);
  date.setUTCFullYear(date.getUTCFullYear() - auditYears);
  return date;
};

/**
 * @param month `2026-11`.
 * @returns true if the whole month is at least ten years old, so that its entries may have been deleted.
 */
export const isMonthOver = (month: string, now: Date): boolean => {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number, 1)) <= retiredBefore(now);
};
