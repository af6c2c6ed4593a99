import type { BudgetAlertRow } from "../../data/billing/budgets/alerts.ts";
import type { JsonObject } from "../../kernel/text/json.ts";

/** An alert in the audit log. */
export const toAuditData = (row: Omit<BudgetAlertRow, "createdAt">): JsonObject => ({
  budget_alert_id: row.id,
  name: row.name,
  currency: row.currency,
  amount: Number(row.amount),
  percent: row.percent,
  email: row.sendsMail,
  webhook: row.sendsWebhook,
});
