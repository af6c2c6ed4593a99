import { type AppliedCouponRow, listAppliedCoupons } from "../../../data/billing/subscriptions/applied-coupons.ts";
import type { BillingPeriodRow } from "../../../data/billing/subscriptions/billing-periods.ts";
import type { SubscriptionRow } from "../../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../../data/client.ts";
import { findCoupon } from "../../catalogue/find-coupon.ts";
import type { AppliedCoupon } from "../../rules/invoice/types.ts";
import type { CouponTerms } from "../../rules/plans/coupon.wire.ts";

type Input = { row: SubscriptionRow; period: BillingPeriodRow; planId: string };

/**
 * The coupons that apply to a period, by currency and in the order in which they were applied. A coupon with an amount
 * applies once to each undivided period. If a period is divided, the coupon applies to the first part that ends after
 * the coupon was applied.
 */
export const loadCoupons = async (
  sql: Sql,
  { row, period, planId }: Input,
): Promise<(currency: string) => AppliedCoupon[]> => {
  const coupons: (CouponTerms & { isFirstPart: boolean })[] = [];
  const applied = await listAppliedCoupons(sql, row.id, period);
  for (const { code, version, isFirstPart } of applied.filter(isFirstOfCode)) {
    const terms = await findCoupon(sql, { code, version });
    if (terms && (terms.plans === null || terms.plans.includes(planId))) coupons.push({ ...terms, isFirstPart });
  }
  return (currency) =>
    coupons.flatMap(({ code, percent, amount, meters, isFirstPart }): AppliedCoupon[] => {
      if (amount === null) return [{ code, percent, amountMinor: null, meters }];
      if (amount.currency !== currency || !isFirstPart) return [];
      return [{ code, percent: null, amountMinor: amount.amountMinor, meters }];
    });
};

/** A coupon code applies once to a period, even if it was added several times. */
const isFirstOfCode = ({ code }: AppliedCouponRow, index: number, all: readonly AppliedCouponRow[]): boolean =>
  all.findIndex((other) => other.code === code) === index;
