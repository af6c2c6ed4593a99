import {
  type BillingPeriodRow,
  findOpenPeriod,
  insertBillingPeriod,
} from "../../../data/billing/subscriptions/billing-periods.ts";
import {
  deletePendingChange,
  type SubscriptionRow,
  updateSubscription,
} from "../../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../../data/client.ts";
import type { Deps } from "../../../deps/deps.ts";
import { dayIn } from "../../../kernel/time/calendar.ts";
import { addSeconds, type BusinessTime } from "../../../kernel/time/clock.ts";
import { fireAlertsOfEnded } from "../../budgets/fire-alerts-of-ended.ts";
import { getPlanVersion } from "../../catalogue/get-plan-version.ts";
import type { PlanVersion } from "../../catalogue/plan-version.ts";
import { spanAfter } from "../../rules/subscriptions/divide-period.ts";
import { findChargedCurrencies } from "../find-charged-currencies.ts";
import { getPlanOf } from "../gather/get-plan-of.ts";
import { toSpan } from "../period-span.ts";
import { billingRun, recordSubscription } from "../record-subscription.ts";
import { draftPeriod } from "./draft-period.ts";

/** For the e-mails of budget alerts. */
type MailDeps = Pick<Deps, "config" | "clock">;
type Closing = { row: SubscriptionRow; period: BillingPeriodRow; at: BusinessTime };

/**
 * Length of the last period of an ended subscription. In this period, late usage of the subscription is accepted and
 * billed.
 */
export const lateSeconds = 36 * 24 * 3_600;

/** Closes the periods that have ended, in order, in a transaction that has locked the subscription. */
export const catchUp = async (
  deps: MailDeps,
  sql: Sql,
  { row, at }: { row: SubscriptionRow; at: BusinessTime },
): Promise<SubscriptionRow> => {
  let current = row;
  for (;;) {
    const period = await findOpenPeriod(sql, row.id);
    if (!period || period.to > at) return current;
    current = await closePeriod(deps, sql, { row: current, period, at });
  }
};

/**
 * Drafts the invoices of a period that has ended, and opens the next period. The next period has the pending plan, if
 * there is one. Otherwise, it has the newer version of the plan to which the catalogue moves the subscription, or the
 * same version. A canceled subscription ends.
 */
export const closePeriod = async (deps: MailDeps, sql: Sql, closing: Closing): Promise<SubscriptionRow> => {
  const { row, period } = closing;
  await draftPeriod(sql, closing);
  if (period.kind === "late") return row;
  await fireAlertsOfEnded(deps, sql, { row, period });
  const isEnd = row.cancelAt !== null && row.cancelAt <= period.to;
  return isEnd ? endSubscription(sql, closing) : openNext(sql, closing);
};

const withoutPending = { pendingPlanId: null, pendingPlanVersion: null, pendingAt: null };

const endSubscription = async (sql: Sql, { row, period, at }: Closing): Promise<SubscriptionRow> => {
  const ended = { ...row, ...withoutPending, status: "cancelled" as const, endedAt: period.to };
  await deletePendingChange(sql, row.id);
  await updateSubscription(sql, ended);
  const late = { from: period.to, to: addSeconds(period.to, lateSeconds) };
  const plan = { id: period.planId, version: period.planVersion };
  const { currency, number } = period;
  await insertBillingPeriod(sql, {
    subscriptionId: row.id,
    kind: "late",
    ...late,
    whole: late,
    number,
    plan,
    currency,
  });
  await recordSubscription(sql, {
    ...billingRun,
    row: ended,
    at,
    action: "subscription.ended",
    data: { ended_at: period.to.toISOString() },
  });
  return ended;
};

const openNext = async (sql: Sql, { row, period, at }: Closing): Promise<SubscriptionRow> => {
  const plan = await nextPlan(sql, row, period);
  const isChange = plan.id !== row.planId || plan.version !== row.planVersion;
  const next = isChange ? moveTo(row, plan, period.to) : row;
  const last = next.anchorDate === row.anchorDate ? toSpan(period) : { ...toSpan(period), number: -1 };
  const span = spanAfter(next, last, row.cancelAt);
  if (!span) throw new Error(`subscription ${row.id} has ended`);
  const { currency } = next;
  await insertBillingPeriod(sql, { subscriptionId: row.id, kind: "regular", ...span, plan, currency });
  if (!isChange) return row;
  await deletePendingChange(sql, row.id);
  await updateSubscription(sql, next);
  const data = { plan: plan.id, version: plan.version, effective_at: period.to.toISOString() };
  await recordSubscription(sql, { ...billingRun, row: next, at, action: "subscription.plan_changed", data });
  return next;
};

const nextPlan = async (sql: Sql, row: SubscriptionRow, { to }: BillingPeriodRow): Promise<PlanVersion> => {
  if (row.pendingPlanId !== null && row.pendingPlanVersion !== null)
    return getPlanOf(sql, { planId: row.pendingPlanId, planVersion: row.pendingPlanVersion, from: to });
  const plan = await getPlanOf(sql, { ...row, from: to });
  for (const version of plan.migratesTo.filter((target) => target > plan.version).toReversed()) {
    const newer = await getPlanVersion(sql, { planId: plan.id, version, at: to as BusinessTime });
    const isInEffect = newer.effectiveFrom <= dayIn("UTC", to);
    if (isInEffect && !(await losesCurrency(sql, row, { plan, newer, at: to }))) return newer;
  }
  return plan;
};

type Migration = { plan: PlanVersion; newer: PlanVersion; at: Date };

/** Whether the subscription uses a currency that its plan version prices and the newer version doesn't. */
const losesCurrency = async (
  sql: Sql,
  { merchantId, currency }: SubscriptionRow,
  { plan, newer, at }: Migration,
): Promise<boolean> => {
  const dropped = [...plan.terms.currencies.keys()].filter((code) => !newer.terms.currencies.has(code));
  if (dropped.length === 0) return false;
  const used = [currency, ...(await findChargedCurrencies(sql, { merchantId, at }))];
  return dropped.some((code) => used.includes(code));
};

/** A plan with another interval counts its periods from the day on which it begins. */
const moveTo = (row: SubscriptionRow, plan: PlanVersion, at: Date): SubscriptionRow => {
  const { interval, currencies } = plan.terms;
  const [first = row.currency] = currencies.keys();
  return {
    ...row,
    ...withoutPending,
    planId: plan.id,
    planVersion: plan.version,
    currency: currencies.has(row.currency) ? row.currency : first,
    interval,
    anchorDate: interval === row.interval ? row.anchorDate : dayIn(row.timeZone, at),
  };
};
