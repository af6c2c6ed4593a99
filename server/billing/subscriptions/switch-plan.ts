import { hastenBudgetCheck } from "../../data/billing/budgets/checks.ts";
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
import type { Deps } from "../../deps/deps.ts";
import type { BusinessTime } from "../../kernel/time/clock.ts";
import { fireAlertsOfEnded } from "../budgets/fire-alerts-of-ended.ts";
import { dividePeriod } from "../rules/subscriptions/divide-period.ts";
import type { ChosenPlan } from "./choose-plan.ts";
import { toSpan } from "./period-span.ts";
import { draftPeriod } from "./run/draft-period.ts";

type Switch = {
  row: SubscriptionRow;
  open: BillingPeriodRow;
  to: ChosenPlan;
  at: BusinessTime;
};

/**
 * Changes the plan now, in a transaction that has locked the subscription, and drafts the invoices of the part with the
 * old plan. If the part with the old plan began today, nothing is drafted, because the new plan replaces the old plan
 * from the start of the part. A pending change is dropped.
 * @returns the subscription after the change.
 */
export const switchPlan = async (
  deps: Pick<Deps, "config" | "clock">,
  sql: Sql,
  { row, open, to: { plan, currency }, at }: Switch,
): Promise<SubscriptionRow> => {
  const { interval } = plan.terms;
  const { cutAt, anchorDate, rest } = dividePeriod(row, toSpan(open), { at, interval, cancelAt: row.cancelAt });
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
    interval,
    pendingPlanId: null,
    pendingPlanVersion: null,
    pendingAt: null,
  };
  await updateSubscription(sql, changed);
  if (cutAt !== null) await draftPeriod(sql, { row: changed, period: { ...open, to: cutAt, dueAt: cutAt }, at });
  await hastenBudgetCheck(sql, row.merchantId, at);
  // A plan with another interval ends the whole period, not only a part of it.
  if (interval !== row.interval) await fireAlertsOfEnded(deps, sql, { row, period: { ...open, to: rest.from } });
  return changed;
};
