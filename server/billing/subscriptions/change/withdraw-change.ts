import { deletePendingChange, getSubscriptionRow } from "../../../data/billing/subscriptions/subscriptions.ts";
import type { Deps } from "../../../deps/deps.ts";
import { type By, recordSubscription } from "../record-subscription.ts";
import { lockCurrentSubscription } from "../run/lock-current-subscription.ts";
import { loadSubscriptionView, type SubscriptionView } from "../subscription-view.ts";

/** `reason`: given by an operator */
type Input = By & { merchantId: string; reason?: string };

/**
 * Withdraws the pending change of plan, so that the current plan continues. Without a pending change, or after the
 * change took effect, nothing changes (docs/spec/billing.md, Plan changes).
 * @throws DomainError subscription_not_found.
 */
export const withdrawChange = (
  deps: Pick<Deps, "db" | "config" | "clock" | "businessClock">,
  { merchantId, reason, ...by }: Input,
): Promise<SubscriptionView> =>
  deps.db.sqlTransaction(async (sql) => {
    const { row: before, at } = await lockCurrentSubscription(deps, sql, merchantId);
    if (before.pendingPlanId === null) return loadSubscriptionView(sql, before, at);
    await deletePendingChange(sql, before.id);
    const row = await getSubscriptionRow(sql, before.id);
    const withdrawn = { plan: before.pendingPlanId, version: before.pendingPlanVersion };
    const data = { ...withdrawn, ...(reason === undefined ? {} : { reason }) };
    await recordSubscription(sql, { ...by, row, at, action: "subscription.change_withdrawn", data });
    return loadSubscriptionView(sql, row, at);
  });
