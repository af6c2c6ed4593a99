import { findBillingSubscription } from "../../data/billing/subscriptions/subscriptions.ts";
import type { Deps } from "../../deps/deps.ts";
import { loadSubscriptionView, type SubscriptionView } from "./subscription-view.ts";

/** The merchant's current subscription, else its last one; null without any. */
export const findSubscriptionView = async (
  { db: { sql }, businessClock }: Pick<Deps, "db" | "businessClock">,
  { merchantId }: { merchantId: string },
): Promise<SubscriptionView | null> => {
  const row = await findBillingSubscription(sql, merchantId);
  return row && loadSubscriptionView(sql, row, await businessClock.now());
};
