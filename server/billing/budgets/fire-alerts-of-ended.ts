import { hastenBudgetCheck } from "../../data/billing/budgets/checks.ts";
import { countUnfiredAlerts } from "../../data/billing/budgets/firings.ts";
import { sumInvoicesWithin } from "../../data/billing/spend/spend-history.ts";
import type { BillingPeriodRow } from "../../data/billing/subscriptions/billing-periods.ts";
import type { SubscriptionRow } from "../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { fireBudgetAlerts } from "./fire-budget-alerts.ts";

/**
 * Fires the alerts whose amount the cost of a period reached after the last check. Call it in the transaction that
 * closes the period, after the period's drafts are stored. In the sandbox, a move of the clock may skip all checks of a
 * period.
 */
export const fireAlertsOfEnded = async (
  deps: Pick<Deps, "config" | "clock">,
  sql: Sql,
  { row, period: ended }: { row: SubscriptionRow; period: BillingPeriodRow },
): Promise<void> => {
  const { merchantId } = row;
  if ((await countUnfiredAlerts(sql, merchantId, ended.wholeFrom)) === 0) return;
  await hastenBudgetCheck(sql, merchantId, ended.to);
  const spent = await sumInvoicesWithin(sql, row.id, { from: ended.wholeFrom, to: ended.to });
  const period = { from: ended.wholeFrom, to: ended.wholeTo };
  await fireBudgetAlerts(deps, sql, { merchantId, period, timeZone: row.timeZone, spent, at: ended.to });
};
