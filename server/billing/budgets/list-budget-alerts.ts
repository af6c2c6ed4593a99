import { type BudgetAlertWithFiring, listBudgetAlertRows } from "../../data/billing/budgets/alerts.ts";
import type { Deps } from "../../deps/deps.ts";

/** A merchant's budget alerts, oldest first, each with the last period in which it fired. */
export const listBudgetAlerts = (
  { db }: Pick<Deps, "db">,
  { merchantId }: { merchantId: string },
): Promise<BudgetAlertWithFiring[]> => listBudgetAlertRows(db.sql, merchantId);
