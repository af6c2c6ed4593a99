import { lockSubscriptionOf, type SubscriptionRow } from "../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import type { BusinessTime } from "../../kernel/time/clock.ts";
import { billingSubscriptionNotFound } from "../subscriptions/billing-subscription-not-found.ts";
import { catchUp } from "../subscriptions/run/close-period.ts";

/**
 * Locks the subscription and closes its periods that have ended.
 * @throws DomainError not_found if there is none, or it ended.
 */
export const lockCurrentSubscription = async (
  deps: Pick<Deps, "config" | "clock">,
  sql: Sql,
  { merchantId, at }: { merchantId: string; at: BusinessTime },
): Promise<SubscriptionRow> => {
  const row = await lockSubscriptionOf(sql, merchantId);
  const current = row && (await catchUp(deps, sql, { row, at }));
  if (!current || current.endedAt !== null) throw billingSubscriptionNotFound();
  return current;
};
