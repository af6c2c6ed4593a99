import { smaller } from "../../../kernel/money/smaller.ts";
import { allocate } from "../exact/allocate.ts";
import { divideHalfEven, exactUnit } from "../exact/exact.ts";
import type { DraftLine } from "./draft-line.ts";
import type { AppliedCoupon, Discount } from "./types.ts";

type Discounted<Line> = { lines: Line[]; discounts: Discount[] };
type CouponLine = Pick<DraftLine, "meter" | "amount" | "discount">;

/**
 * Applies line-bound coupons first, then all other coupons, each group in the given order. A coupon applies to the
 * amounts after the discounts of earlier coupons. Negative lines reduce the amount that a coupon applies to, and get no
 * discount.
 */
export const applyCoupons = <Line extends CouponLine>(
  lines: readonly Line[],
  coupons: readonly AppliedCoupon[],
): Discounted<Line> => {
  const ordered = [...coupons.filter(({ meters }) => meters), ...coupons.filter(({ meters }) => !meters)];
  return ordered.reduce<Discounted<Line>>(
    ({ lines: left, discounts }, coupon) => {
      const parts = discountsOf(left, coupon);
      const amount = parts.reduce((sum, part) => sum + part, 0n);
      return {
        lines: left.map((line, index) => ({ ...line, discount: line.discount + (parts[index] ?? 0n) })),
        discounts: amount === 0n ? discounts : [...discounts, { coupon: coupon.code, amount }],
      };
    },
    { lines: [...lines], discounts: [] },
  );
};

/** The coupon's discount on each line. */
const discountsOf = (lines: readonly CouponLine[], coupon: AppliedCoupon): bigint[] => {
  const isCovered = ({ meter }: CouponLine) =>
    coupon.meters === null || (meter !== null && coupon.meters.includes(meter));
  const left = lines.map((line) => (isCovered(line) ? line.amount - line.discount : 0n));
  const base = left.reduce((sum, amount) => sum + amount, 0n);
  return allocate(
    base <= 0n ? 0n : discountOn(base, coupon),
    left.map((amount) => (amount > 0n ? amount : 0n)),
  );
};

const discountOn = (base: bigint, { percent, amountMinor }: AppliedCoupon): bigint => {
  if (percent !== null) return divideHalfEven(base * percent, 100n * exactUnit);
  return amountMinor === null ? base : smaller(amountMinor, base);
};
