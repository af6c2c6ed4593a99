import { previewChange } from "../../../billing/subscriptions/change/preview-change.ts";
import { findChargedCurrencies } from "../../../billing/subscriptions/find-charged-currencies.ts";
import { getBillingSubscription } from "../../../billing/subscriptions/get-billing-subscription.ts";
import type { Deps } from "../../../deps/deps.ts";
import { orNoSubscription, toSubscribedPlan } from "./plan-views.ts";

/** The merchant's plan, and in each of its currencies what the usage so far costs; null without a subscription. */
export const readPlanUsage = async (deps: Deps, { merchantId }: { merchantId: string }) => {
  const view = await orNoSubscription(getBillingSubscription(deps, { merchantId }));
  if (!view) return null;
  const subscribed = await toSubscribedPlan(deps.db.sql, view);
  const { plan, status } = subscribed;
  const costs = [];
  for (const currency of status === "cancelled" ? [] : view.currencies) {
    const wanted = { merchantId, planId: plan.id, version: plan.version, effective: "now" as const, currency };
    costs.push(toCost((await previewChange(deps, wanted)).next));
  }
  const charged = await findChargedCurrencies(deps.db.sql, { merchantId, at: view.now });
  return {
    ...subscribed,
    // The first currency has the fees, so it is shown without usage too.
    costs: costs.filter(({ lines }, index) => index === 0 || lines.length > 0),
    /** currencies of the merchant's charges that the plan doesn't price */
    unpriced: charged.filter((currency) => !view.currencies.includes(currency)),
  };
};

type Preview = Awaited<ReturnType<typeof previewChange>>["next"];

const toCost = ({ currency, lines, total }: Preview) => ({
  currency,
  totalMinor: total,
  lines: lines.map(({ id, description, quantity, exact, amount }) => ({
    id,
    description,
    quantity: String(quantity),
    exact,
    amountMinor: amount,
  })),
});

export type MerchantPlanUsage = NonNullable<Awaited<ReturnType<typeof readPlanUsage>>>;
