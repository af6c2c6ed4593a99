import type { OperationKind, OperationResult, StoredPayment } from "../store/records.ts";

const refused = (code: string): OperationResult => ({ status: "refused", code, payment: null });

/** The simulator's rules for operations on a payment. @param amount used for a capture or refund. */
export const decideOperation = (payment: StoredPayment, kind: OperationKind, amount: number): OperationResult => {
  switch (kind) {
    case "capture":
      return capture(payment, amount);
    case "void":
      return voidPayment(payment);
    case "refund":
      return refund(payment, amount);
  }
};

const capture = (payment: StoredPayment, amount: number): OperationResult => {
  if (payment.status !== "authorized") return refused("not_capturable");
  if (amount > payment.amount) return refused("amount_too_large");
  return { status: "succeeded", code: null, payment: { ...payment, status: "succeeded", amountCaptured: amount } };
};

const voidPayment = (payment: StoredPayment): OperationResult => {
  if (!["authorized", "requires_action", "processing", "voided"].includes(payment.status)) {
    return refused("not_voidable");
  }
  return { status: "succeeded", code: null, payment: { ...payment, status: "voided" } };
};

const refund = (payment: StoredPayment, amount: number): OperationResult => {
  if (payment.status !== "succeeded") return refused("not_refundable");
  if (payment.amountRefunded + amount > payment.amountCaptured) return refused("amount_too_large");
  const { paymentMethod } = payment;
  // Stripe's test methods for refunds: one fails, the other is pending at first.
  if (paymentMethod === "pm_card_refundFail") {
    return { status: "failed", code: "expired_or_canceled_card", payment: null };
  }
  const status = paymentMethod === "pm_card_pendingRefund" ? "pending" : "succeeded";
  return { status, code: null, payment: { ...payment, amountRefunded: payment.amountRefunded + amount } };
};
