/** The sums of the checks of one UTC day. */
export type HealthDay = {
  /** `2026-11-21` */
  day: string;
  /** checks that succeeded */
  up: number;
  /** failed checks; a check counts once for each hour until the next check */
  down: number;
  /** of the checks that succeeded */
  latencySumMs: number;
};

const healthDays = 30;

const daySeconds = 24 * 3600;
const checkSeconds = 3600;
const maxJitterSeconds = 300;
/** After this many failed checks in a row, a participant is checked less often. */
const failuresUntilBackoff = 24;
const backoffHours = 6;

/** Hours until the next check. @param failures in a row, with the current one. */
const hoursToNextCheck = (failures: number): number => (failures < failuresUntilBackoff ? 1 : backoffHours);

/**
 * Seconds until the next check: whole hours, less up to five minutes, so that participants that were checked together
 * are checked at different times.
 * @param chance from 0 to 1.
 */
export const secondsToNextCheck = (failures: number, chance: number): number =>
  hoursToNextCheck(failures) * checkSeconds - Math.floor(chance * maxJitterSeconds);

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);

const firstDay = (now: Date): string => dayOf(new Date(now.getTime() - (healthDays - 1) * daySeconds * 1000));

/** @param failures in a row, with this check; 0: it succeeded. @returns the days with the check, oldest first. */
export const addCheck = (
  days: readonly HealthDay[],
  { at, failures, latencyMs }: { at: Date; failures: number; latencyMs: number },
): HealthDay[] => {
  const day = dayOf(at);
  const { up, down, latencySumMs } = days.find((one) => one.day === day) ?? { up: 0, down: 0, latencySumMs: 0 };
  const today =
    failures === 0
      ? { day, up: up + 1, down, latencySumMs: latencySumMs + latencyMs }
      : { day, up, down: down + hoursToNextCheck(failures), latencySumMs };
  const kept = days.filter((one) => one.day !== day && one.day >= firstDay(at));
  return [...kept, today].toSorted((left, right) => (left.day < right.day ? -1 : 1));
};

/** The last 30 days until `now`, oldest first. Days without a check have zeros. */
export const lastDays = (days: readonly HealthDay[], now: Date): HealthDay[] =>
  Array.from({ length: healthDays }, (_, index) => {
    const day = dayOf(new Date(now.getTime() - (healthDays - 1 - index) * daySeconds * 1000));
    return days.find((one) => one.day === day) ?? { day, up: 0, down: 0, latencySumMs: 0 };
  });

/** Percent of the last 30 days, rounded down: `99.861`. Null if nothing was measured. */
export const uptimeOf = (days: readonly HealthDay[], now: Date): string | null => {
  const measured = days.filter(({ day }) => day >= firstDay(now));
  const up = measured.reduce((sum, one) => sum + one.up, 0);
  const total = measured.reduce((sum, one) => sum + one.up + one.down, 0);
  return total === 0 ? null : (Math.floor((up * 100_000) / total) / 1000).toFixed(3);
};
