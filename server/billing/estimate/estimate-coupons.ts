import { DomainError } from "../../kernel/errors.ts";
import type { AppliedCoupon } from "../rules/invoice/types.ts";
import type { CouponTerms } from "../rules/plans/coupon.wire.ts";
import { type CouponSubject, couponProblem } from "../rules/plans/coupon-problem.ts";

/**
 * Converts the coupons to the form that `computeInvoice` needs. @param found `coupon` is null for an unknown code
 * @throws DomainError coupon_not_applicable.
 */
export const applicableCoupons = (
  found: readonly { code: string; coupon: CouponTerms | null }[],
  to: CouponSubject,
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

const toAppliedCoupon = ({ code, percent, amount, meters }: CouponTerms): AppliedCoupon => ({
  code,
  percent,
  amountMinor: amount?.amountMinor ?? null,
  meters,
});
