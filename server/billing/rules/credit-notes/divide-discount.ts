import { allocate } from "../exact/allocate.ts";
import type { Discount } from "../invoice/types.ts";

/**
 * Divides the discount of a credit note among the discounts of its invoice, in proportion to the parts that earlier
 * notes haven't credited. The discounts of the notes for a whole invoice therefore sum to the invoice's discounts.
 * @param discounts the invoice's discounts. @param credited the discounts of its earlier notes
 */
export const divideDiscount = (
  amount: bigint,
  { discounts, credited }: { discounts: readonly Discount[]; credited: readonly Discount[] },
): Discount[] => {
  if (amount === 0n) return [];
  const left = discounts.map((discount) => leftOf(discount, credited));
  // This case isn't expected, because the discounts of all notes together are at most the invoice's discount. The
  // discount then names no coupon.
  if (left.every((one) => one === 0n)) return [{ coupon: null, amount }];
  return allocate(amount, left).flatMap((part, index) =>
    part === 0n ? [] : [{ coupon: discounts[index]?.coupon ?? null, amount: part }],
  );
};

const leftOf = ({ coupon, amount }: Discount, credited: readonly Discount[]): bigint => {
  const left = credited.filter((one) => one.coupon === coupon).reduce((rest, one) => rest - one.amount, amount);
  return left > 0n ? left : 0n;
};
