/** A request about a payment: by a client of the merchant, by a member in the dashboard, or by the payer. */
export type PaymentAct = "verify" | "charge" | "approve" | "capture" | "void" | "refund";

const startsCharge: Readonly<Record<PaymentAct, boolean>> = {
  // Verify says whether a charge would be made.
  verify: true,
  charge: true,
  // A charge that waits for its payer's approval was never sent.
  approve: true,
  capture: false,
  void: false,
  refund: false,
};

/**
 * Whether a suspended merchant is refused: only new charges are stopped. Earlier charges can still be captured, voided
 * and refunded (docs/spec/payments.md, Suspended merchants).
 */
export const suspensionStops = (act: PaymentAct): boolean => startsCharge[act];
