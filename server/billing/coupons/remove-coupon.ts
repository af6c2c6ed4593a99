import { endAppliedCoupon, findCurrentCoupon } from "../../data/billing/subscriptions/applied-coupons.ts";
import type { Deps } from "../../deps/deps.ts";
import { getOpenPeriod } from "../subscriptions/period-span.ts";
import { type By, recordSubscription } from "../subscriptions/record-subscription.ts";
import { lockCurrentSubscription } from "../subscriptions/run/lock-current-subscription.ts";

type Input = By & { merchantId: string; code: string; reason: string };

/**
 * Removes a coupon from the invoices of the current and later periods. Invoices of ended periods keep it.
 * Repeating it changes nothing (docs/spec/billing.md, Coupons of a subscription).
 * @throws DomainError not_found.
 */
export const removeCoupon = (
  deps: Pick<Deps, "db" | "businessClock" | "config" | "clock">,
  { merchantId, code, reason, ...by }: Input,
): Promise<{ isNew: boolean }> =>
  deps.db.sqlTransaction(async (sql) => {
    const { row, at } = await lockCurrentSubscription(deps, sql, merchantId);
    const { from } = await getOpenPeriod(sql, row);
    const coupon = await findCurrentCoupon(sql, { subscriptionId: row.id, code, periodFrom: from });
    if (!coupon) return { isNew: false };
    await endAppliedCoupon(sql, coupon, from);
    const data = { coupon: code, version: coupon.version, reason };
    await recordSubscription(sql, { ...by, row, at, action: "subscription.coupon_removed", data });
    return { isNew: true };
  });
