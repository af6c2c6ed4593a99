import { listPlanNames } from "../../data/billing/catalogue/plans.ts";
import {
  listRevenue,
  type OutstandingRow,
  type RevenueRow,
  sumOutstanding,
} from "../../data/billing/revenue/revenue.ts";
import type { Deps } from "../../deps/deps.ts";
import { utcMonth } from "../../kernel/time/utc-month.ts";

export type Revenue = {
  /** from the first to the current month, in UTC: `2026-11` */
  months: string[];
  rows: (RevenueRow & { planName: string })[];
  outstanding: OutstandingRow[];
};

/**
 * The invoiced amounts without tax, by month of issue, currency, plan and item, and the unpaid amounts. Reads sums and
 * open invoices, not the history (docs/spec/billing.md, Operator pages).
 * @param months number of months, including the current one
 */
export const readRevenue = async (
  { db, businessClock }: Pick<Deps, "db" | "businessClock">,
  { months: count }: { months: number },
): Promise<Revenue> => {
  const now = await businessClock.now();
  const months = Array.from({ length: count }, (_, index) =>
    utcMonth(now, index + 1 - count)
      .from.toISOString()
      .slice(0, 7),
  );
  const [rows, outstanding, names] = await Promise.all([
    listRevenue(db.sql, `${months[0]}-01`),
    sumOutstanding(db.sql, now),
    listPlanNames(db.sql),
  ]);
  const named = rows.map((row) => ({ ...row, planName: names.get(row.planId) ?? row.planId }));
  return { months, rows: named, outstanding };
};
