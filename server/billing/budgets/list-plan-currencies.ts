import { findBillingSubscription } from "../../data/billing/subscriptions/subscriptions.ts";
import type { Deps } from "../../deps/deps.ts";
import { getPlanOf } from "../subscriptions/gather/get-plan-of.ts";

/** The currencies of the merchant's plan, the subscription's currency first; empty without a plan. */
export const listPlanCurrencies = async (
  { db: { sql }, businessClock }: Pick<Deps, "db" | "businessClock">,
  { merchantId }: { merchantId: string },
): Promise<string[]> => {
  const row = await findBillingSubscription(sql, merchantId);
  if (!row || row.endedAt !== null) return [];
  const { terms } = await getPlanOf(sql, { ...row, from: await businessClock.now() });
  return [row.currency, ...[...terms.currencies.keys()].filter((code) => code !== row.currency)];
};
