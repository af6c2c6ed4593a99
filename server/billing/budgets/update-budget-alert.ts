import { appendAudit } from "../../data/audit/audit.ts";
import { findBudgetAlertRow, updateBudgetAlertRow } from "../../data/billing/budgets/alerts.ts";
import { lockBudgetCheck } from "../../data/billing/budgets/checks.ts";
import type { Deps } from "../../deps/deps.ts";
import type { By } from "../subscriptions/record-subscription.ts";
import { toAuditData } from "./budget-alert-data.ts";
import { budgetAlertNotFound, repeatedAlertRefusal } from "./budget-alert-errors.ts";
import { assertBudgetAlert, type BudgetAlertFields } from "./budget-alert-fields.ts";

type Input = { merchantId: string; alertId: string } & BudgetAlertFields & By;

/**
 * Changes a budget alert. If the alert already fired in the current period, it doesn't fire again in this period.
 * @throws DomainError not_found; invalid, naming the fields; conflict if another alert has this threshold.
 */
export const updateBudgetAlert = async (
  { db, businessClock }: Pick<Deps, "db" | "businessClock">,
  { merchantId, alertId, actor, requestId, ...fields }: Input,
): Promise<void> => {
  const at = await businessClock.now();
  await db.sqlTransaction(async (sql) => {
    if (!(await findBudgetAlertRow(sql, { merchantId, alertId }))) throw budgetAlertNotFound();
    await assertBudgetAlert(sql, { merchantId, at, fields });
    await lockBudgetCheck(sql, merchantId, at);
    const before = await findBudgetAlertRow(sql, { merchantId, alertId });
    if (!before) throw budgetAlertNotFound();
    const { name, currency, amountMinor: amount, percent, sendsMail, sendsWebhook } = fields;
    const after = { id: alertId, merchantId, name: name.trim(), currency, amount, percent, sendsMail, sendsWebhook };
    if (!(await updateBudgetAlertRow(sql, after))) throw repeatedAlertRefusal();
    const data = { ...toAuditData(after), before: toAuditData(before) };
    await appendAudit(sql, { at, actor, requestId, action: "budget_alert.updated", subjectId: merchantId, data });
  });
};
