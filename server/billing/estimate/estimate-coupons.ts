import { DomainError } from "../../kernel/errors.ts";
import type { AppliedCoupon } from "../rules/invoice/types.ts";
import type { CouponTerms } from "../rules/plans/coupon.wire.ts";
import type { CurrencyTerms } from "../rules/plans/terms.ts";

type AppliedTo = { planId: string; currency: string; terms: CurrencyTerms };

/**
 * The coupons in the form that an invoice needs. @param found null for an unknown code
 * @throws DomainError coupon_not_applicable.
 */
export const applicableCoupons = (
  found: readonly { code: string; coupon: CouponTerms | null }[],
  to: AppliedTo,
): AppliedCoupon[] =>
  found.map(({ code, coupon }, index) => {
    const isRepeated = found.findIndex((one) => one.code === code) < index;
    const problem = isRepeated ? "is listed twice" : couponProblem(coupon, to);
    if (problem === null && coupon) return toAppliedCoupon(coupon);
    throw new DomainError("unprocessable", {
      code: "coupon_not_applicable",
      message: `The coupon at /coupons/${index} ${problem}.`,
      errors: [{ pointer: `/coupons/${index}`, detail: problem ?? "isn’t known" }],
    });
  });

/** Why a coupon doesn't apply to a plan in a currency; null if it does. */
const couponProblem = (coupon: CouponTerms | null, { planId, currency, terms }: AppliedTo): string | null => {
  if (coupon === null) return "isn’t known";
  if (coupon.plans && !coupon.plans.includes(planId)) return "doesn’t apply to this plan";
  if (coupon.amount && coupon.amount.currency !== currency) return `applies only in ${coupon.amount.currency}`;
  if (coupon.meters && !coupon.meters.some((meter) => terms.prices.has(meter))) {
    return "applies only to meters that the plan doesn’t price";
  }
  return null;
};

const toAppliedCoupon = ({ code, percent, amount, meters }: CouponTerms): AppliedCoupon => ({
  code,
  percent,
  amountMinor: amount?.amountMinor ?? null,
  meters,
});
