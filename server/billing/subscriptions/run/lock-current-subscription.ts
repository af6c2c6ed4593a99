import { lockSubscriptionOf, type SubscriptionRow } from "../../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../../data/client.ts";
import type { Deps } from "../../../deps/deps.ts";
import type { BusinessTime } from "../../../kernel/time/clock.ts";
import { billingSubscriptionNotFound } from "../billing-subscription-not-found.ts";
import { catchUp } from "./close-period.ts";

/**
 * Locks the merchant's subscription and closes its periods that have ended by now (`at`).
 * @throws DomainError subscription_not_found if there is none, or it ended.
 */
export const lockCurrentSubscription = async (
  deps: Pick<Deps, "config" | "clock" | "businessClock">,
  sql: Sql,
  merchantId: string,
): Promise<{ row: SubscriptionRow; at: BusinessTime }> => {
  const locked = await lockSubscriptionOf(sql, merchantId);
  const at = await deps.businessClock.now();
  const row = locked && (await catchUp(deps, sql, { row: locked, at }));
  if (!row || row.endedAt !== null) throw billingSubscriptionNotFound();
  return { row, at };
};
