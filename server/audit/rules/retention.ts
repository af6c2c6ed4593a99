/** Kept: ten years (docs/spec/operations.md, Data retention). */
const auditYears = 10;

/** What ended before this instant may leave. */
export const retiredBefore = (now: Date): Date => {
  const date = new Date(now);
  date.setUTCFullYear(date.getUTCFullYear() - auditYears);
  return date;
};

/** @param month `2026-11`. @returns true once all of it is ten years old: its entries may be gone. */
export const isMonthOver = (month: string, now: Date): boolean => {
  const [year = 0, number = 0] = month.split("-").map(Number);
  return new Date(Date.UTC(year, number, 1)) <= retiredBefore(now);
};
