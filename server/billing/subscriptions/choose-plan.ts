import type { SubscriptionRow } from "../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../data/client.ts";
import { DomainError } from "../../kernel/errors.ts";
import { dayIn } from "../../kernel/time/calendar.ts";
import type { BusinessTime } from "../../kernel/time/clock.ts";
import { getPlanVersion } from "../catalogue/get-plan-version.ts";
import type { PlanVersion } from "../catalogue/plan-version.ts";
import { findChargedCurrencies } from "./find-charged-currencies.ts";

type Wanted = {
  merchantId: string;
  planId: string;
  /** null: the newest version in effect */
  version: number | null;
  /** null: the subscription's currency if the plan has prices in it; otherwise the plan's first currency */
  currency: string | null;
  current: SubscriptionRow | null;
  at: BusinessTime;
  /** an operator may also choose hidden plans and earlier versions */
  isOperator: boolean;
};

export type ChosenPlan = { plan: PlanVersion; currency: string };

/** @throws DomainError plan_not_found, plan_version_retired, currency_not_priced. */
export const choosePlan = async (sql: Sql, wanted: Wanted): Promise<ChosenPlan> => {
  const { planId, version, at, current, merchantId } = wanted;
  const plan = await getPlanVersion(sql, { planId, version, at });
  const isCurrent = current !== null && current.planId === plan.id && current.planVersion === plan.version;
  if (!isCurrent) await refuseUnavailable(sql, plan, wanted);
  const currency = wanted.currency ?? defaultCurrency(plan, current);
  // The current plan is accepted even if it doesn't price a currency of the charges, so that the merchant can preview
  // and end this plan.
  const charged = isCurrent ? [] : await findChargedCurrencies(sql, { merchantId, at });
  const unpriced = [currency, ...charged].filter((code) => !plan.terms.currencies.has(code));
  if (unpriced.length > 0) throw unpricedRefusal(plan, [...new Set(unpriced)]);
  return { plan, currency };
};

const defaultCurrency = ({ terms }: PlanVersion, current: SubscriptionRow | null): string => {
  if (current && terms.currencies.has(current.currency)) return current.currency;
  const [first] = terms.currencies.keys();
  if (first === undefined) throw new Error("a plan has no currency");
  return first;
};

const refuseUnavailable = async (sql: Sql, plan: PlanVersion, { at, isOperator }: Wanted): Promise<void> => {
  if (plan.effectiveFrom > dayIn("UTC", at)) {
    throw new DomainError("not_found", {
      code: "plan_not_found",
      message: `Version ${plan.version} of the plan takes effect on ${plan.effectiveFrom}.`,
    });
  }
  if (plan.isRetired) throw retiredRefusal("The plan accepts no new subscriptions. Choose another plan.");
  if (isOperator) return;
  if (!plan.isPublic) {
    throw new DomainError("not_found", { code: "plan_not_found", message: "No plan with this ID is in effect." });
  }
  const newest = await getPlanVersion(sql, { planId: plan.id, version: null, at });
  if (newest.version !== plan.version)
    throw retiredRefusal(`Version ${plan.version} of the plan was replaced. Choose version ${newest.version}.`);
};

const retiredRefusal = (message: string): DomainError =>
  new DomainError("conflict", { code: "plan_version_retired", message });

export const unpricedRefusal = (plan: PlanVersion, currencies: readonly string[]): DomainError =>
  new DomainError("unprocessable", {
    code: "currency_not_priced",
    message: `The plan ${plan.id} has no prices in ${currencies.join(", ")}. Choose another currency, or a plan with prices in all currencies of the merchant’s charges.`,
  });
