import { type Exact, multiplyRatio } from "../exact/exact.ts";
import type { MeterUsage, Price } from "../plans/terms.ts";
import { feeOfCharge, totalAmount } from "./price-steps.ts";

type Refunded = {
  capturedMinor: bigint;
  refundedMinor: bigint;
  /** the usage of the period in which the charge was captured, including this charge */
  usage: MeterUsage;
  /** the price of this usage; not used with `basis_points` */
  fee: Exact;
};

/**
 * The part of a charge's fee that is credited after a refund, as a negative amount: the fee, limited by its minimum and
 * maximum, × refunded / captured. With graduated rates, the period's price is divided among its charges in proportion
 * to their amounts. With prices per unit, it is divided equally.
 */
export const refundedFee = (price: Price, { capturedMinor, refundedMinor, usage, fee }: Refunded): Exact => {
  switch (price.model) {
    case "basis_points":
      return -multiplyRatio(feeOfCharge(price, capturedMinor), refundedMinor, capturedMinor);
    case "graduated_basis_points":
      return -multiplyRatio(fee, refundedMinor, totalAmount(usage));
    default:
      return -multiplyRatio(fee, refundedMinor, capturedMinor * usage.quantity);
  }
};
