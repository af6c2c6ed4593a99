import type Stripe from "stripe";
import type { CaptureOutcome, Processor, RefundOutcome, VoidOutcome } from "../port.ts";
import { faultOf, toRefused } from "./outcomes.ts";
import { toStripeUnits } from "./units.ts";

/** Capture, cancellation and refunds of PaymentIntents, each at most once by its key. */
export const stripeOperations = (stripe: Stripe): Pick<Processor, "capture" | "void" | "refund" | "findRefund"> => ({
  async capture({ key, account, reference, amountMinor, currency }): Promise<CaptureOutcome> {
    const amount = toStripeUnits(amountMinor, currency);
    try {
      const options = { idempotencyKey: key, stripeAccount: account };
      const intent = await stripe.paymentIntents.capture(reference, { amount_to_capture: amount }, options);
      return intent.status === "succeeded" ? { kind: "captured" } : { kind: "unknown" };
    } catch (error) {
      const fault = faultOf(error);
      if (fault.kind !== "refusal") return fault;
      return toRefused(fault.error);
    }
  },
  async void({ key, account, reference }): Promise<VoidOutcome> {
    try {
      const options = { idempotencyKey: key, stripeAccount: account };
      const intent = await stripe.paymentIntents.cancel(reference, {}, options);
      return intent.status === "canceled" ? { kind: "voided" } : { kind: "unknown" };
    } catch (error) {
      const fault = faultOf(error);
      if (fault.kind !== "refusal") return fault;
      // Nothing is authorized any more: that is what was asked for.
      return fault.error.payment_intent?.status === "canceled" ? { kind: "voided" } : toRefused(fault.error);
    }
  },
  async refund({ key, account, reference, amountMinor, currency }): Promise<RefundOutcome> {
    try {
      const refund = await stripe.refunds.create(
        { payment_intent: reference, amount: toStripeUnits(amountMinor, currency) },
        { idempotencyKey: key, stripeAccount: account },
      );
      return toRefundOutcome(refund);
    } catch (error) {
      const fault = faultOf(error);
      return fault.kind === "refusal" ? toRefused(fault.error) : fault;
    }
  },
  async findRefund({ account, refundRef }): Promise<RefundOutcome> {
    try {
      return toRefundOutcome(await stripe.refunds.retrieve(refundRef, {}, { stripeAccount: account }));
    } catch (error) {
      const fault = faultOf(error);
      // A question that could not be asked says nothing about the refund.
      return fault.kind === "refusal" ? toRefused(fault.error) : { kind: "unknown" };
    }
  },
});

const toRefundOutcome = ({ id: refundRef, status, failure_reason: reason }: Stripe.Refund): RefundOutcome => {
  if (status === "succeeded") return { kind: "succeeded", refundRef };
  if (status === "failed" || status === "canceled") {
    return { kind: "failed", refundRef, code: reason ?? status };
  }
  return { kind: "pending", refundRef };
};
