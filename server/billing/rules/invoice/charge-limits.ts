import { larger, smaller } from "../../../kernel/money/smaller.ts";

/** `minimum` and `room` have the unit of the fees. */
export type Limits = {
  minimum: bigint;
  /** the plan's maximum less the fees of the earlier parts; negative if these exceed it; null: no maximum */
  room: bigint | null;
};

/**
 * How much fees raise the amount above the plan's maximum. This amount is a discount. The result is negative if
 * negative fees reduce an amount that was a discount in the earlier parts.
 */
export const excessOf = (fees: bigint, room: bigint | null): bigint =>
  room === null ? 0n : larger(fees - room, 0n) - larger(-room, 0n);

/** The true-up to a minimum. Negative fees credit earlier parts, and don't count towards the minimum of this part. */
export const missingTo = (minimum: bigint, fees: bigint): bigint => larger(minimum - larger(fees, 0n), 0n);

/** The cost of fees within the minimum and the maximum is `charged` − `discount`. */
export const limitFees = (fees: bigint, { minimum, room }: Limits): { charged: bigint; discount: bigint } => {
  const excess = excessOf(fees, room);
  const kept = fees - smaller(excess, 0n);
  return { charged: kept + missingTo(minimum, kept), discount: larger(excess, 0n) };
};
