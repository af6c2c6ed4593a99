import {
  type BillingPeriodRow,
  deleteOpenPeriod,
  insertBillingPeriod,
  updatePeriodEnd,
} from "../../data/billing/subscriptions/billing-periods.ts";
import {
  deletePendingChange,
  type SubscriptionRow,
  updateSubscription,
} from "../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../data/client.ts";
import type { PlanVersion } from "../catalogue/plan-version.ts";
import type { Division } from "../rules/subscriptions/divide-period.ts";

type Switch = {
  row: SubscriptionRow;
  open: BillingPeriodRow;
  to: { plan: PlanVersion; currency: string };
  division: Division;
};

/**
 * Changes the plan now, in a transaction that has locked the subscription. A pending change is dropped.
 * @returns the subscription after the change, and the old plan's part, which has ended; null if the change is on its
 *   first day, so that the new plan applies from its start.
 */
export const switchPlan = async (
  sql: Sql,
  { row, open, to: { plan, currency }, division: { cutAt, anchorDate, rest } }: Switch,
): Promise<{ row: SubscriptionRow; ended: BillingPeriodRow | null }> => {
  if (cutAt === null) await deleteOpenPeriod(sql, open);
  else await updatePeriodEnd(sql, open, cutAt);
  await insertBillingPeriod(sql, { subscriptionId: row.id, kind: "regular", ...rest, plan, currency });
  await deletePendingChange(sql, row.id);
  const changed = {
    ...row,
    planId: plan.id,
    planVersion: plan.version,
    currency,
    anchorDate,
    interval: plan.terms.interval,
    pendingPlanId: null,
    pendingPlanVersion: null,
    pendingAt: null,
  };
  await updateSubscription(sql, changed);
  return { row: changed, ended: cutAt === null ? null : { ...open, to: cutAt, dueAt: cutAt } };
};
