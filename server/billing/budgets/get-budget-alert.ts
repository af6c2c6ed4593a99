import type { BudgetAlertWithFiring } from "../../data/billing/budgets/alerts.ts";
import type { Deps } from "../../deps/deps.ts";
import { budgetAlertNotFound } from "./budget-alert-errors.ts";
import { listBudgetAlerts } from "./list-budget-alerts.ts";

/** @throws DomainError not_found, also for another merchant's alert. */
export const getBudgetAlert = async (
  deps: Pick<Deps, "db">,
  { merchantId, alertId }: { merchantId: string; alertId: string },
): Promise<BudgetAlertWithFiring> => {
  const alert = (await listBudgetAlerts(deps, { merchantId })).find(({ id }) => id === alertId);
  if (!alert) throw budgetAlertNotFound();
  return alert;
};
