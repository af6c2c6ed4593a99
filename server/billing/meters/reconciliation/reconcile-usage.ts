import { compareDay, findLastReconciledDay } from "../../../data/billing/meters/reconciliation.ts";
import type { Deps } from "../../../deps/deps.ts";
import { daysToReconcile } from "../../rules/days-to-reconcile.ts";
import { acceptedDays } from "../../rules/usage-event.ts";

/** Each day is compared in one transaction that reads the whole day. */
const timeoutMilliseconds = 600_000;

/**
 * Compares every meter with its source, per merchant and UTC day, and stores the results. Compares the days since the
 * last run, and the latest day for which no more events are accepted. Repeated runs replace the results.
 * @returns the numbers of days, of compared meters and of differences.
 */
export const reconcileUsage = async ({
  db,
  businessClock,
  log,
}: Pick<Deps, "db" | "businessClock" | "log">): Promise<{ days: number; compared: number; differences: number }> => {
  const last = await findLastReconciledDay(db.sql);
  const days = daysToReconcile({ last, now: await businessClock.now(), acceptedDays });
  const total = { days: days.length, compared: 0, differences: 0 };
  for (const day of days) {
    const { compared, differences } = await db.sqlTransaction((sql) => compareDay(sql, day), { timeoutMilliseconds });
    total.compared += Number(compared);
    total.differences += Number(differences);
    if (differences > 0n) log.error({ day, differences: Number(differences) }, "meters differ from their sources");
  }
  return total;
};
