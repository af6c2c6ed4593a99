import { formatExact } from "../../../billing/rules/exact/exact.ts";
import type { MonthlySpend } from "../../../billing/rules/spend/spend-by-month.ts";
import { type RunningSpend, readSpend } from "../../../billing/spend/read-spend.ts";
import { findChargedCurrencies } from "../../../billing/subscriptions/find-charged-currencies.ts";
import { getBillingSubscription } from "../../../billing/subscriptions/get-billing-subscription.ts";
import type { Deps } from "../../../deps/deps.ts";
import { toSums } from "./billing-views.ts";
import { orNoSubscription, toSubscribedPlan } from "./plan-views.ts";

type Input = { merchantId: string; months: number; timeZone: string };

/**
 * The merchant's plan, the cost of the current period so far in each currency, and the spend of the last months. Null
 * without a subscription.
 */
export const readPlanUsage = async (deps: Deps, { merchantId, months, timeZone }: Input) => {
  const view = await orNoSubscription(getBillingSubscription(deps, { merchantId }));
  if (!view) return null;
  const subscribed = await toSubscribedPlan(deps.db.sql, view);
  const { running, history } = await readSpend(deps, { merchantId, months, timeZone });
  const costs = subscribed.status === "cancelled" ? [] : running.map(toCost);
  const charged = await findChargedCurrencies(deps.db.sql, { merchantId, at: view.now });
  return {
    ...subscribed,
    // The fees are in the first currency, so this currency is shown even without usage.
    costs: costs.filter(({ lines }, index) => index === 0 || lines.length > 0),
    history: history.map(toHistory),
    /** currencies of the merchant's charges that the plan doesn't price */
    unpriced: charged.filter((currency) => !view.currencies.includes(currency)),
  };
};

const toCost = ({ currency, invoice, earlierMinor, forecastMinor }: RunningSpend) => ({
  currency,
  ...toSums(invoice),
  totalMinor: Number(invoice.total),
  toCreditBalanceMinor: Number(invoice.toCreditBalance),
  /** for the whole period, including the time before a plan change */
  spentMinor: Number(invoice.total + earlierMinor),
  earlierMinor: Number(earlierMinor),
  forecastMinor: forecastMinor === null ? null : Number(forecastMinor),
  lines: invoice.lines.map(({ description, quantity, exact, amount }, index) => ({
    id: `line_${index + 1}`,
    description,
    quantity: String(quantity),
    exact: formatExact(exact),
    amountMinor: Number(amount),
  })),
});

const toHistory = ({ currency, total, series, months }: MonthlySpend) => ({
  currency,
  totalMinor: Number(total),
  series,
  months: months.map(({ month, amounts }) => ({ month, amountsMinor: amounts.map(Number) })),
});

export type MerchantPlanUsage = NonNullable<Awaited<ReturnType<typeof readPlanUsage>>>;
