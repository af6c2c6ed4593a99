import { larger, smaller } from "../../../kernel/money/smaller.ts";

/** `minimum` and `room` have the unit of the fees. */
export type Limits = {
  minimum: bigint;
  /**
   * the plan's maximum minus the fees of the earlier parts; negative if these fees exceed the maximum; null: no maximum
   */
  room: bigint | null;
};

/**
 * The amount by which these fees exceed the plan's maximum. This amount becomes a discount. The result is negative if
 * negative fees reduce the discount of the earlier parts.
 */
export const excessOf = (fees: bigint, room: bigint | null): bigint =>
  room === null ? 0n : larger(fees - room, 0n) - larger(-room, 0n);

/** The true-up to a minimum. Negative fees count as zero, because they are credits for earlier parts. */
export const missingTo = (minimum: bigint, fees: bigint): bigint => larger(minimum - larger(fees, 0n), 0n);

/** Limits fees by the minimum and the maximum. The cost of the limited fees is `charged` − `discount`. */
export const limitFees = (fees: bigint, { minimum, room }: Limits): { charged: bigint; discount: bigint } => {
  const excess = excessOf(fees, room);
  const kept = fees - smaller(excess, 0n);
  return { charged: kept + missingTo(minimum, kept), discount: larger(excess, 0n) };
};
