import { previewChange } from "../../../billing/subscriptions/change/preview-change.ts";
import { getBillingSubscription } from "../../../billing/subscriptions/get-billing-subscription.ts";
import { toSubscriptionObject } from "../../../billing/subscriptions/subscription.wire.ts";
import type { Deps } from "../../../deps/deps.ts";
import { isDomainError } from "../../../kernel/errors.ts";

/** The merchant's plan, and in each of its currencies what the usage so far costs; null without a subscription. */
export const readPlanUsage = async (deps: Deps, { merchantId }: { merchantId: string }) => {
  const view = await findView(deps, merchantId);
  if (!view) return null;
  const { plan, status, period, currencies, ...subscription } = toSubscriptionObject(view);
  const costs = [];
  for (const currency of status === "cancelled" ? [] : currencies) {
    const wanted = { merchantId, planId: plan.id, version: plan.version, effective: "now" as const, currency };
    costs.push(toCost((await previewChange(deps, wanted)).next));
  }
  return {
    plan,
    status,
    period,
    trialEndsAt: subscription.trial_ends_at,
    cancelAt: subscription.cancel_at,
    nextPlan: subscription.pending_change?.plan ?? null,
    // The first currency has the fees, so it is shown without usage too.
    costs: costs.filter(({ lines }, index) => index === 0 || lines.length > 0),
  };
};

const findView = async (deps: Deps, merchantId: string) => {
  try {
    return await getBillingSubscription(deps, { merchantId });
  } catch (error) {
    if (isDomainError(error) && error.code === "subscription_not_found") return null;
    throw error;
  }
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
