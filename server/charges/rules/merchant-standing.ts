import type { MerchantStanding } from "../../kernel/merchant-standing.ts";

/** A request about a payment: by a client of the merchant, by a member in the dashboard, or by the payer. */
export type PaymentAct = "verify" | "charge" | "approve" | "capture" | "void" | "refund";

const startsCharge: Readonly<Record<PaymentAct, boolean>> = {
  // Verify-mandate predicts whether a charge would be made, so it is refused in the same cases as a charge.
  verify: true,
  charge: true,
  // A charge that waits for its payer's approval was never sent.
  approve: true,
  capture: false,
  void: false,
  refund: false,
};

/**
 * Whether a request is refused while the merchant isn't active. Only verifications, new charges and approvals are
 * refused. Earlier charges can still be captured, voided and refunded (docs/spec/payments.md, Inactive merchants).
 */
export const inactivityStops = (act: PaymentAct): boolean => startsCharge[act];

type Inactive = Exclude<MerchantStanding, "active">;

/** The problem code of each standing. */
export const standingCodes: Readonly<Record<Inactive, string>> = {
  suspended: "merchant_suspended",
  pending: "merchant_pending",
  declined: "merchant_declined",
  not_connected: "processor_not_connected",
  unpaid: "billing_overdue",
  no_plan: "billing_plan_ended",
};

export const standingMessages: Readonly<Record<Inactive, string>> = {
  suspended:
    "The merchant is suspended, so new charges are refused. Existing charges can still be captured, voided and refunded.",
  pending: "The merchant is waiting for approval by Paygrant. It can charge after the approval.",
  declined: "Paygrant declined the merchant, so it can't charge.",
  not_connected:
    "The merchant's account at the processor doesn't accept charges. An owner or admin must complete it in the dashboard, under Settings, Processor.",
  unpaid:
    "The merchant has an unpaid invoice, so new charges are refused. Existing charges can still be captured, voided and refunded. An owner or admin must pay the invoice in the dashboard, under Billing.",
  no_plan:
    "The merchant's plan has ended, so new charges are refused until Paygrant assigns a new plan. Existing charges can still be captured, voided and refunded.",
};
