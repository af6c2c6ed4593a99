/** What is asked for a payment: by a client of the merchant, by a member of it in the dashboard, or by the payer. */
export type PaymentAct = "verify" | "charge" | "approve" | "capture" | "void" | "refund";

const startsCharge: Readonly<Record<PaymentAct, boolean>> = {
  // It tells whether a charge would be made.
  verify: true,
  charge: true,
  // Nothing of what waits for its payer's word was sent.
  approve: true,
  capture: false,
  void: false,
  refund: false,
};

/**
 * Whether a suspended merchant is refused: new charges alone are stopped. What was charged before is taken, given up and
 * given back as ever (docs/spec/payments.md, Suspended merchants).
 */
export const suspensionStops = (act: PaymentAct): boolean => startsCharge[act];
