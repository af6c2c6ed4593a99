import type { Deps } from "../../../deps/deps.ts";
import { toYearly } from "../../../kernel/billing/interval-months.ts";
import { getPlanVersion } from "../../catalogue/get-plan-version.ts";
import { listPublicPlans } from "../../catalogue/list-public-plans.ts";
import type { PlanVersion } from "../../catalogue/plan-version.ts";
import { type PublicPlan, toPublicPlan } from "../../catalogue/public-plan.wire.ts";
import { findChargedCurrencies } from "../find-charged-currencies.ts";
import { getBillingSubscription } from "../get-billing-subscription.ts";
import type { SubscriptionView } from "../subscription-view.ts";

/** Maximum number of public plans in the comparison. */
const maxPlans = 50;

type ComparedPlan = {
  plan: PublicPlan;
  isCurrent: boolean;
  /** currencies of the merchant's charges that the plan doesn't price; if there are any, the plan can't be chosen */
  unpriced: string[];
};

const yearlyFlat = ({ plan }: ComparedPlan): number => toYearly(plan.flat, plan.interval);

/**
 * The merchant's plan and the public plans, lowest flat fee per month first. Prices are in the subscription's currency
 * if the plan has prices in this currency.
 * @throws DomainError subscription_not_found.
 */
export const comparePlans = async (
  deps: Pick<Deps, "db" | "businessClock">,
  { merchantId }: { merchantId: string },
): Promise<{ view: SubscriptionView; plans: ComparedPlan[] }> => {
  const { sql } = deps.db;
  const view = await getBillingSubscription(deps, { merchantId });
  const { row, now: at } = view;
  const charged = await findChargedCurrencies(sql, { merchantId, at });
  const current = await getPlanVersion(sql, { planId: row.planId, version: row.planVersion, at });
  const page = { currency: null, limit: maxPlans, startingAfter: null, endingBefore: null };
  const { plans } = await listPublicPlans(deps, page);
  const isCurrent = ({ id, version }: PlanVersion): boolean => id === current.id && version === current.version;
  const compared = [current, ...plans.filter((plan) => !isCurrent(plan))].map((plan) => ({
    plan: toPublicPlan(plan, plan.terms.currencies.has(row.currency) ? row.currency : null),
    isCurrent: isCurrent(plan),
    unpriced: charged.filter((currency) => !plan.terms.currencies.has(currency)),
  }));
  return { view, plans: compared.toSorted((one, other) => yearlyFlat(one) - yearlyFlat(other)) };
};
