import { findBillingSubscription } from "../../data/billing/subscriptions/subscriptions.ts";
import type { Deps } from "../../deps/deps.ts";
import { billingSubscriptionNotFound } from "./billing-subscription-not-found.ts";
import { loadSubscriptionView, type SubscriptionView } from "./subscription-view.ts";

/** The merchant's current subscription or, if it has none, its last one. @throws DomainError subscription_not_found. */
export const getBillingSubscription = async (
  { db, businessClock }: Pick<Deps, "db" | "businessClock">,
  { merchantId }: { merchantId: string },
): Promise<SubscriptionView> => {
  const row = await findBillingSubscription(db.sql, merchantId);
  if (!row) throw billingSubscriptionNotFound();
  return loadSubscriptionView(db.sql, row, await businessClock.now());
};
