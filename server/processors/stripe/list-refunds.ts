import type Stripe from "stripe";
import type { FoundRefund, RefundOutcome, RefundsOutcome } from "../../deps/processor-port.ts";
import { faultOf } from "./outcomes.ts";
import { fromStripeUnits, stripeCurrencies } from "./units.ts";

type Told = Extract<RefundOutcome, { kind: "succeeded" | "pending" | "failed" }>;

export const toRefundOutcome = ({ id: refundRef, status, failure_reason: reason }: Stripe.Refund): Told => {
  if (status === "succeeded") return { kind: "succeeded", refundRef };
  if (status === "failed" || status === "canceled") {
    return { kind: "failed", refundRef, code: reason ?? status };
  }
  return { kind: "pending", refundRef };
};

/** Every refund of what was paid, whoever made it. */
export const listStripeRefunds = async (
  stripe: Stripe,
  { account, reference }: { account: string; reference: string },
): Promise<RefundsOutcome> => {
  try {
    const options = { stripeAccount: account };
    const intent = await stripe.paymentIntents.retrieve(reference, {}, options);
    // No payment of ours: we never ask for such a currency.
    if (!stripeCurrencies.includes(intent.currency.toUpperCase())) return { kind: "not_found" };
    const chargeId = intent.metadata["charge_id"] ?? null;
    // Nothing was paid: what is booked as given back was only held.
    if (intent.status !== "succeeded") return { kind: "refunds", chargeId, refunds: [] };
    const refunds: Stripe.Refund[] = [];
    for await (const refund of stripe.refunds.list({ payment_intent: reference, limit: 100 }, options)) {
      refunds.push(refund);
    }
    return { kind: "refunds", chargeId, refunds: withoutRelease(intent, refunds).map(toFoundRefund) };
  } catch (error) {
    const fault = faultOf(error);
    const isMissing = fault.kind === "refusal" && fault.error.code === "resource_missing";
    return isMissing ? { kind: "not_found" } : { kind: "unknown" };
  }
};

/**
 * What was authorized and not captured goes back to the payer as a refund of Stripe's own, though it was never paid: it
 * says so by its reason, else it is the first that isn't ours and of that amount (the list begins with the latest).
 */
const withoutRelease = ({ amount, amount_received }: Stripe.PaymentIntent, refunds: Stripe.Refund[]) => {
  const released = amount - amount_received;
  if (released <= 0) return refunds;
  const paidBack = refunds.filter(({ reason }) => reason !== "expired_uncaptured_charge");
  if (paidBack.length < refunds.length) return paidBack;
  const release = refunds.findLast((each) => each.amount === released && each.metadata?.["refund_id"] === undefined);
  return refunds.filter((each) => each !== release);
};

const toFoundRefund = (refund: Stripe.Refund): FoundRefund => {
  const told = toRefundOutcome(refund);
  return {
    refundRef: told.refundRef,
    refundId: refund.metadata?.["refund_id"] ?? null,
    status: told.kind,
    amountMinor: fromStripeUnits(refund.amount, refund.currency.toUpperCase()),
    code: told.kind === "failed" ? told.code : null,
  };
};
