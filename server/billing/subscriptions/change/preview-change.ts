import { findOpenPeriod } from "../../../data/billing/subscriptions/billing-periods.ts";
import { findBillingSubscription } from "../../../data/billing/subscriptions/subscriptions.ts";
import type { Deps } from "../../../deps/deps.ts";
import { billingSubscriptionNotFound } from "../billing-subscription-not-found.ts";
import { choosePlan, unpricedRefusal } from "../choose-plan.ts";
import { type ChangePreview, type Effective, previewInvoices } from "./preview-invoices.ts";

type Input = {
  merchantId: string;
  planId: string;
  /** null: the newest version in effect */
  version: number | null;
  effective: Effective;
  /** null: the currency of the fees */
  currency: string | null;
};

/**
 * The cost of a change of plan. The change needs the preview's hash (docs/spec/billing.md, Plan changes).
 * @throws DomainError subscription_not_found, plan_not_found, plan_version_retired, currency_not_priced.
 */
export const previewChange = (deps: Deps, input: Input): Promise<ChangePreview> =>
  deps.db.sqlTransaction(async (sql) => {
    const at = await deps.businessClock.now();
    const row = await findBillingSubscription(sql, input.merchantId);
    const open = row && (await findOpenPeriod(sql, row.id));
    if (!row || !open) throw billingSubscriptionNotFound();
    const { merchantId, planId, version, currency, effective } = input;
    const wanted = { merchantId, planId, version, currency: null, current: row, at, isOperator: false };
    const chosen = await choosePlan(sql, wanted);
    if (currency !== null && !chosen.plan.terms.currencies.has(currency))
      throw unpricedRefusal(chosen.plan, [currency]);
    return previewInvoices(sql, { row, open, chosen, effective, currency, at });
  });
