import { claimBudgetChecks, postponeBudgetCheck } from "../../data/billing/budgets/checks.ts";
import { countUnfiredAlerts } from "../../data/billing/budgets/firings.ts";
import { findOpenPeriod } from "../../data/billing/subscriptions/billing-periods.ts";
import { findBillingSubscription } from "../../data/billing/subscriptions/subscriptions.ts";
import { isUnavailable } from "../../data/unavailable.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds, type BusinessTime } from "../../kernel/time/clock.ts";
import { readPeriodSpend } from "../spend/read-period-spend.ts";
import { fireBudgetAlerts } from "./fire-budget-alerts.ts";

/** The time between two checks of a merchant. An alert fires at the first check after the cost reaches its amount. */
const intervalSeconds = 300;
/** How long a new subscription may wait for its first check. */
const unsubscribedSeconds = 3_600;

type CheckDeps = Pick<Deps, "db" | "config" | "clock" | "businessClock" | "log">;

/**
 * Checks the budgets of merchants whose check is due. Any number of workers share the work, and a check whose worker
 * was killed is repeated (docs/spec/billing.md, Budget alerts).
 * @returns how many merchants were checked; call again while it equals `limit`.
 */
export const checkDueBudgets = async (deps: CheckDeps, { limit }: { limit: number }): Promise<number> => {
  const until = await deps.businessClock.dueUntil();
  if (until === null) return 0;
  const nextAt = addSeconds(until, intervalSeconds);
  const claimed = await claimBudgetChecks(deps.db.sql, { until, nextAt, limit });
  for (const merchantId of claimed) {
    try {
      await checkBudgets(deps, { merchantId, at: until, claimedUntil: nextAt });
    } catch (error) {
      if (error instanceof Error && isUnavailable(error)) throw error;
      // Other merchants aren't affected. This one is tried again later.
      deps.log.error({ err: error, merchantId }, "the check of a merchant's budgets failed");
    }
  }
  return claimed.length;
};

type Check = { merchantId: string; at: BusinessTime; claimedUntil: Date };

const checkBudgets = async (deps: CheckDeps, { merchantId, at, claimedUntil }: Check): Promise<void> => {
  const { sql } = deps.db;
  const row = await findBillingSubscription(sql, merchantId);
  const open = row && (await findOpenPeriod(sql, row.id));
  if (!row || !open) {
    const dueAt = addSeconds(at, unsubscribedSeconds);
    return postponeBudgetCheck(sql, merchantId, { claimedUntil, dueAt });
  }
  const period = { from: open.wholeFrom, to: open.wholeTo };
  const unfired = await countUnfiredAlerts(sql, merchantId, period.from);
  if (unfired > 0) {
    const spends = await readPeriodSpend(sql, { row, open, at });
    const spent = new Map(spends.map((one) => [one.currency, one.invoice.total + one.earlierMinor]));
    const fired = await deps.db.sqlTransaction((tx) =>
      fireBudgetAlerts(deps, tx, { merchantId, period, timeZone: row.timeZone, spent, at }),
    );
    if (fired < unfired) return;
  }
  await postponeBudgetCheck(sql, merchantId, { claimedUntil, dueAt: open.to });
};
