import { findDaysToReconcile, releaseReconciledPeriods } from "../../../data/billing/meters/reconciled-periods.ts";
import { compareDays } from "../../../data/billing/meters/reconciliation.ts";
import type { Deps } from "../../../deps/deps.ts";
import { comparableUntil, toRanges, withDeadlines } from "../../rules/reconciliation-days.ts";
import { acceptedDays } from "../../rules/usage-event.ts";

/** One transaction reads all its days at once. */
const timeoutMilliseconds = 600_000;

type Reconciled = { days: number; compared: number; differences: number; released: number };

/**
 * Compares every meter with its source, per merchant and UTC day, and stores the results. Three kinds of days are
 * compared: days that ended since the last run, days whose deadline for late events has passed since the last run, and
 * days with a difference that delays an invoice. Each transaction compares at most `maxDays`, so the run after a killed
 * run continues where it stopped. Repeated runs replace the results. While the clock is being moved, the process that
 * moves it compares the days.
 * @returns how many days and meters were compared, how many differences were found, and how many periods no longer
 *   wait.
 */
export const reconcileUsage = async (
  { db, businessClock, log }: Pick<Deps, "db" | "businessClock" | "log">,
  { maxDays = 1 }: { maxDays?: number } = {},
): Promise<Reconciled> => {
  const total = { days: 0, compared: 0, differences: 0, released: 0 };
  const now = await businessClock.dueUntil();
  if (now === null) return total;
  const found = await findDaysToReconcile(db.sql, comparableUntil(now));
  for (const range of toRanges({ days: withDeadlines(found, acceptedDays), maxDays })) {
    const results = await db.sqlTransaction((sql) => compareDays(sql, range), { timeoutMilliseconds });
    for (const { day, compared, differences } of results) {
      total.days += 1;
      total.compared += Number(compared);
      total.differences += Number(differences);
      if (differences > 0n) log.error({ day, differences: Number(differences) }, "meters differ from their sources");
    }
  }
  return { ...total, released: await releaseReconciledPeriods(db.sql) };
};
