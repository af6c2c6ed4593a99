import { hastenBudgetCheck } from "../../data/billing/budgets/checks.ts";
import { findBillingStanding } from "../../data/billing/collection/collections.ts";
import { insertBillingPeriod } from "../../data/billing/subscriptions/billing-periods.ts";
import {
  findLastEnd,
  getSubscriptionRow,
  insertSubscription,
  lockSubscriptionOf,
  type SubscriptionRow,
} from "../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../data/client.ts";
import { lockMerchantSettings } from "../../data/merchants/merchant-settings.ts";
import type { Deps } from "../../deps/deps.ts";
import { newId } from "../../kernel/ids.ts";
import { addDays, dayIn } from "../../kernel/time/calendar.ts";
import type { BusinessTime } from "../../kernel/time/clock.ts";
import { merchantNotFound } from "../../merchants/merchant-not-found.ts";
import { nthBillingPeriod } from "../rules/periods/billing-period.ts";
import { slaDueAt } from "../rules/sla/sla-months.ts";
import { firstInstantOf } from "../rules/subscriptions/divide-period.ts";
import { type ChosenPlan, choosePlan } from "./choose-plan.ts";
import { getOpenPeriod } from "./period-span.ts";
import { type By, recordSubscription } from "./record-subscription.ts";
import { catchUp } from "./run/close-period.ts";
import { loadSubscriptionView, type SubscriptionView } from "./subscription-view.ts";
import { switchPlan } from "./switch-plan.ts";

type Input = By & {
  merchantId: string;
  planId: string;
  /** null: the newest version in effect */
  version: number | null;
  /** in which flat fees and minimums are priced; null: see `choosePlan` */
  currency: string | null;
  reason?: string;
};

/**
 * Assigns a plan to a merchant immediately, for an operator. Without a current subscription, the first period starts on
 * this day; otherwise, the plan changes. Assigning the current plan in the same currency changes nothing, unless a
 * change is pending: the assignment then removes this change.
 * @throws DomainError not_found, plan_not_found, plan_version_retired, currency_not_priced.
 */
export const assignPlan = (deps: Deps, input: Input): Promise<SubscriptionView> =>
  deps.db.sqlTransaction(async (sql) => {
    const settings = await lockMerchantSettings(sql, input.merchantId);
    if (!settings) throw merchantNotFound();
    const at = await deps.businessClock.now();
    const current = await lockSubscriptionOf(sql, input.merchantId);
    const caughtUp = current && (await catchUp(deps, sql, { row: current, at }));
    const chosen = await choosePlan(sql, { ...input, current: caughtUp, at, isOperator: true });
    if (caughtUp && isAssigned(caughtUp, chosen)) return loadSubscriptionView(sql, caughtUp, at);
    const row =
      caughtUp && caughtUp.endedAt === null
        ? await switchPlan(deps, sql, { row: caughtUp, open: await getOpenPeriod(sql, caughtUp), to: chosen, at })
        : await subscribe(sql, { merchantId: input.merchantId, timeZone: settings.timeZone ?? "UTC", chosen, at });
    const { planId, planVersion, currency } = row;
    const reason = input.reason === undefined ? {} : { reason: input.reason };
    const data = { plan: planId, version: planVersion, currency, ...reason };
    await recordSubscription(sql, { ...input, row, at, action: "subscription.assigned", data });
    return loadSubscriptionView(sql, row, at);
  });

/**
 * Whether the subscription already has this plan. False if a change is pending, because an assignment replaces the
 * pending change.
 */
const isAssigned = (row: SubscriptionRow, { plan, currency }: ChosenPlan): boolean =>
  row.endedAt === null &&
  row.pendingPlanId === null &&
  row.planId === plan.id &&
  row.planVersion === plan.version &&
  row.currency === currency;

type New = { merchantId: string; timeZone: string; chosen: ChosenPlan; at: BusinessTime };

const subscribe = async (sql: Sql, { merchantId, timeZone, chosen, at }: New): Promise<SubscriptionRow> => {
  const { plan, currency } = chosen;
  const { interval, trialDays } = plan.terms;
  const anchorDate = dayIn(timeZone, at);
  const id = newId("bsub");
  const trialEndsAt = trialDays === 0 ? null : firstInstantOf(addDays(anchorDate, trialDays), timeZone);
  // Unpaid invoices of an earlier subscription also determine the status of the new one.
  const status = await findBillingStanding(sql, merchantId);
  const terms = { plan, currency, status, anchorDate, interval, timeZone };
  await insertSubscription(sql, { id, merchantId, ...terms, trialEndsAt, createdAt: at, slaDueAt: slaDueAt(at) });
  const whole = nthBillingPeriod({ anchorDate, interval, timeZone }, 0);
  // If an earlier subscription ended today, its last period bills the events before its end, so the new period starts
  // at this end.
  const lastEnd = await findLastEnd(sql, merchantId);
  await insertBillingPeriod(sql, {
    subscriptionId: id,
    kind: "regular",
    from: lastEnd !== null && lastEnd > whole.from ? lastEnd : whole.from,
    to: whole.to,
    whole,
    number: 0,
    plan,
    currency,
  });
  await hastenBudgetCheck(sql, merchantId, at);
  return getSubscriptionRow(sql, id);
};
