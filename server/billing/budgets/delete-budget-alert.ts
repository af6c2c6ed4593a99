import { appendAudit } from "../../data/audit/audit.ts";
import { deleteBudgetAlertRow } from "../../data/billing/budgets/alerts.ts";
import { lockBudgetCheck } from "../../data/billing/budgets/checks.ts";
import type { Deps } from "../../deps/deps.ts";
import type { By } from "../subscriptions/record-subscription.ts";
import { toAuditData } from "./budget-alert-data.ts";
import { budgetAlertNotFound } from "./budget-alert-errors.ts";

/** @throws DomainError not_found, also for another merchant's alert. */
export const deleteBudgetAlert = async (
  { db, businessClock }: Pick<Deps, "db" | "businessClock">,
  { merchantId, alertId, actor, requestId }: { merchantId: string; alertId: string } & By,
): Promise<void> => {
  const at = await businessClock.now();
  await db.sqlTransaction(async (sql) => {
    await lockBudgetCheck(sql, merchantId, at);
    const row = await deleteBudgetAlertRow(sql, { merchantId, alertId });
    if (!row) throw budgetAlertNotFound();
    const action = "budget_alert.deleted";
    await appendAudit(sql, { at, actor, requestId, action, subjectId: merchantId, data: toAuditData(row) });
  });
};
