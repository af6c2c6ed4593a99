import { appendAudit } from "../../data/audit/audit.ts";
import { insertBudgetAlert } from "../../data/billing/budgets/alerts.ts";
import { countBudgetAlerts, lockBudgetCheck } from "../../data/billing/budgets/checks.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import type { By } from "../subscriptions/record-subscription.ts";
import { toAuditData } from "./budget-alert-data.ts";
import { repeatedAlertRefusal } from "./budget-alert-errors.ts";
import { assertBudgetAlert, type BudgetAlertFields } from "./budget-alert-fields.ts";

const maxAlerts = 20;

/**
 * Creates a budget alert (docs/spec/billing.md, Budget alerts).
 * @throws DomainError invalid, naming the fields; conflict if another alert has this threshold, or if there are already
 *   20 alerts.
 */
export const createBudgetAlert = async (
  { db, businessClock }: Pick<Deps, "db" | "businessClock">,
  { merchantId, actor, requestId, ...fields }: { merchantId: string } & BudgetAlertFields & By,
): Promise<{ alertId: string }> => {
  const at = await businessClock.now();
  return db.sqlTransaction(async (sql) => {
    await assertBudgetAlert(sql, { merchantId, at, fields });
    await lockBudgetCheck(sql, merchantId, at);
    if ((await countBudgetAlerts(sql, merchantId)) >= maxAlerts) {
      const message = `A merchant has at most ${maxAlerts} budget alerts. Delete one first.`;
      throw new DomainError("conflict", { code: "too_many_budget_alerts", message });
    }
    const { name, currency, amountMinor: amount, percent, sendsMail, sendsWebhook } = fields;
    const alert = { merchantId, name: name.trim(), currency, amount, percent, sendsMail, sendsWebhook, createdAt: at };
    const id = newId("bud");
    if (!(await insertBudgetAlert(sql, { id, ...alert }))) throw repeatedAlertRefusal();
    const data = toAuditData({ id, ...alert });
    await appendAudit(sql, { at, actor, requestId, action: "budget_alert.created", subjectId: merchantId, data });
    return { alertId: id };
  });
};
