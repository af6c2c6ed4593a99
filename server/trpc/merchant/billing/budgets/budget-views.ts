import { thresholdMinor } from "../../../../billing/rules/budgets/budget-alert.ts";
import type { BudgetAlertWithFiring } from "../../../../data/billing/budgets/alerts.ts";

export const toBudgetAlert = (row: BudgetAlertWithFiring) => ({
  id: row.id,
  name: row.name,
  currency: row.currency,
  /** if `percent` is null: the threshold; otherwise the budget of a period, of which `percent` is the threshold */
  amountMinor: Number(row.amount),
  percent: row.percent,
  thresholdMinor: Number(thresholdMinor(row)),
  sendsMail: row.sendsMail,
  sendsWebhook: row.sendsWebhook,
  lastFired:
    row.firedAt && row.firedFor
      ? { at: row.firedAt.toISOString(), periodFrom: row.firedFor.toISOString(), spentMinor: Number(row.spent) }
      : null,
});

export type MerchantBudgetAlert = ReturnType<typeof toBudgetAlert>;
