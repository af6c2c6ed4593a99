import type { CouponTerms } from "./coupon.wire.ts";
import type { CurrencyTerms } from "./terms.ts";

export type CouponSubject = { planId: string; currency: string; terms: CurrencyTerms };

/** Why a coupon doesn't apply to a plan in a currency; null if it does. */
export const couponProblem = (
  coupon: CouponTerms | null,
  { planId, currency, terms }: CouponSubject,
): string | null => {
  if (coupon === null) return "isn’t known";
  if (coupon.plans && !coupon.plans.includes(planId)) return "doesn’t apply to this plan";
  if (coupon.amount && coupon.amount.currency !== currency) return `applies only in ${coupon.amount.currency}`;
  if (coupon.meters && !coupon.meters.some((meter) => terms.prices.has(meter))) {
    return "has no effect, because the plan has no prices for the coupon’s meters";
  }
  return null;
};
