import { getSubscriptionRow } from "../../../data/billing/subscriptions/subscriptions.ts";
import type { Deps } from "../../../deps/deps.ts";
import { getOpenPeriod } from "../period-span.ts";
import { type By, recordSubscription } from "../record-subscription.ts";
import { lockCurrentSubscription } from "../run/lock-current-subscription.ts";
import { applyEnd } from "./apply-end.ts";
import { pendingRefusal } from "./pending-refusal.ts";

type Input = By & {
  merchantId: string;
  /** `never` removes an end that was set before */
  ends: "now" | "period_end" | "never";
};

/**
 * Ends a merchant's subscription, or removes its planned end. The plan stays the same until the end, so no preview is
 * needed (docs/spec/billing.md, Plan changes).
 * @throws DomainError subscription_not_found, change_pending.
 */
export const cancelSubscription = (
  deps: Pick<Deps, "db" | "config" | "clock" | "businessClock">,
  { merchantId, ends, actor, requestId }: Input,
): Promise<{ cancelAt: Date | null }> =>
  deps.db.sqlTransaction(async (sql) => {
    const { row, at } = await lockCurrentSubscription(deps, sql, merchantId);
    if (row.pendingPlanId !== null) throw pendingRefusal();
    const { wholeTo } = await getOpenPeriod(sql, row);
    const cancelAt = { now: at, period_end: wholeTo, never: null }[ends];
    if (cancelAt?.getTime() === row.cancelAt?.getTime()) return { cancelAt };
    await applyEnd(deps, sql, { row, cancelAt, at });
    const result = await getSubscriptionRow(sql, row.id);
    const data = { cancel_at: result.cancelAt?.toISOString() ?? null };
    await recordSubscription(sql, { row: result, at, action: "subscription.changed", data, actor, requestId });
    return { cancelAt: result.cancelAt };
  });
