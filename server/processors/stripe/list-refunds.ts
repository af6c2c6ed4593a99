import type Stripe from "stripe";
import type { FoundRefund, RefundOutcome, RefundsOutcome } from "../port.ts";
import { faultOf } from "./outcomes.ts";
import { fromStripeUnits } from "./units.ts";

type Told = Extract<RefundOutcome, { kind: "succeeded" | "pending" | "failed" }>;

export const toRefundOutcome = ({ id: refundRef, status, failure_reason: reason }: Stripe.Refund): Told => {
  if (status === "succeeded") return { kind: "succeeded", refundRef };
  if (status === "failed" || status === "canceled") {
    return { kind: "failed", refundRef, code: reason ?? status };
  }
  return { kind: "pending", refundRef };
};

/** Every refund of a payment, whoever made it; whose the payment is says our mark on it. */
export const listStripeRefunds = async (
  stripe: Stripe,
  { account, reference }: { account: string; reference: string },
): Promise<RefundsOutcome> => {
  try {
    const options = { stripeAccount: account };
    const chargeId = (await stripe.paymentIntents.retrieve(reference, {}, options)).metadata["charge_id"];
    if (chargeId === undefined) return { kind: "not_found" };
    const refunds: FoundRefund[] = [];
    for await (const refund of stripe.refunds.list({ payment_intent: reference, limit: 100 }, options)) {
      refunds.push(toFoundRefund(refund));
    }
    return { kind: "refunds", chargeId, refunds };
  } catch (error) {
    const fault = faultOf(error);
    const isMissing = fault.kind === "refusal" && fault.error.code === "resource_missing";
    return isMissing ? { kind: "not_found" } : { kind: "unknown" };
  }
};

const toFoundRefund = (refund: Stripe.Refund): FoundRefund => {
  const told = toRefundOutcome(refund);
  return {
    ...{ refundRef: told.refundRef, refundId: refund.metadata?.["refund_id"] ?? null, status: told.kind },
    amountMinor: fromStripeUnits(refund.amount, refund.currency.toUpperCase()),
    code: told.kind === "failed" ? told.code : null,
  };
};
