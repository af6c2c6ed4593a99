import { type CouponOfSubscription, listCouponsOf } from "../../data/billing/subscriptions/applied-coupons.ts";
import { findOpenPeriod } from "../../data/billing/subscriptions/billing-periods.ts";
import { findBillingSubscription } from "../../data/billing/subscriptions/subscriptions.ts";
import type { Deps } from "../../deps/deps.ts";

/** The coupons of the merchant's subscription, newest first. `isCurrent`: it applies to the current period. */
export const listCouponsOfMerchant = async (
  { db: { sql } }: Pick<Deps, "db">,
  { merchantId }: { merchantId: string },
): Promise<(CouponOfSubscription & { isCurrent: boolean })[]> => {
  const row = await findBillingSubscription(sql, merchantId);
  if (!row) return [];
  const [coupons, open] = await Promise.all([listCouponsOf(sql, row.id), findOpenPeriod(sql, row.id)]);
  return coupons.map((coupon) => ({
    ...coupon,
    isCurrent: open !== null && (coupon.endsAt === null || coupon.endsAt > open.from),
  }));
};
