import type Stripe from "stripe";
import type { FoundRefund, RefundOutcome, RefundsOutcome } from "../../deps/processor-port.ts";
import { faultOf } from "./outcomes.ts";
import { fromStripeUnits, stripeCurrencies } from "./units.ts";

type Outcome = Extract<RefundOutcome, { kind: "succeeded" | "pending" | "failed" }>;

export const toRefundOutcome = ({ id: refundRef, status, failure_reason: reason }: Stripe.Refund): Outcome => {
  if (status === "succeeded") return { kind: "succeeded", refundRef };
  if (status === "failed" || status === "canceled") {
    return { kind: "failed", refundRef, code: reason ?? status };
  }
  return { kind: "pending", refundRef };
};

/** All refunds of a payment, by any party. */
export const listStripeRefunds = async (
  stripe: Stripe,
  { account, reference }: { account: string; reference: string },
): Promise<RefundsOutcome> => {
  try {
    const options = { stripeAccount: account };
    const intent = await stripe.paymentIntents.retrieve(reference, {}, options);
    // Not our payment: we don't use this currency.
    if (!stripeCurrencies.includes(intent.currency.toUpperCase())) return { kind: "not_found" };
    const chargeId = intent.metadata["charge_id"] ?? null;
    // Nothing was paid, so a refund in Stripe's list only released a hold.
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
 * Stripe records the release of an uncaptured amount as a refund, although the amount was never paid. That refund has a
 * special reason. If no refund has this reason, the oldest refund of that amount that isn't ours is the release (the
 * list is newest first).
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
  const outcome = toRefundOutcome(refund);
  return {
    refundRef: outcome.refundRef,
    refundId: refund.metadata?.["refund_id"] ?? null,
    status: outcome.kind,
    amountMinor: fromStripeUnits(refund.amount, refund.currency.toUpperCase()),
    code: outcome.kind === "failed" ? outcome.code : null,
  };
};
