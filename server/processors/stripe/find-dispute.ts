import type Stripe from "stripe";
import type { DisputeOutcome, FoundDispute } from "../../deps/processor-port.ts";
import { faultOf } from "./outcomes.ts";
import { fromStripeUnits, stripeCurrencies } from "./units.ts";

/**
 * Inquiries and prevented disputes move no money, so they don't count as disputes
 * (docs.stripe.com/disputes/how-disputes-work).
 */
const statuses: Readonly<Record<string, FoundDispute["status"]>> = {
  needs_response: "open",
  under_review: "open",
  appeal_needs_response: "open",
  appeal_under_review: "open",
  won: "won",
  lost: "lost",
};

/**
 * A dispute's amount may differ from the payment's amount. The causes are exchange rates, or a dispute about a part of
 * an order (docs.stripe.com/api/disputes/object, `amount`).
 */
export const findStripeDispute = async (
  stripe: Stripe,
  { account, disputeRef }: { account: string; disputeRef: string },
): Promise<DisputeOutcome> => {
  try {
    const expand = ["payment_intent"];
    return toDispute(await stripe.disputes.retrieve(disputeRef, { expand }, { stripeAccount: account }));
  } catch (error) {
    const fault = faultOf(error);
    const isMissing = fault.kind === "refusal" && fault.error.code === "resource_missing";
    return isMissing ? { kind: "not_found" } : { kind: "unknown" };
  }
};

const toDispute = (dispute: Stripe.Dispute): DisputeOutcome => {
  const status = statuses[dispute.status];
  const intent = dispute.payment_intent;
  const currency = dispute.currency.toUpperCase();
  // The intent is expanded. A dispute without one, or in a currency that we don't use, isn't about one of our payments.
  if (status === undefined || intent === null || typeof intent === "string") return { kind: "not_found" };
  if (!stripeCurrencies.includes(currency)) return { kind: "not_found" };
  const amountMinor = fromStripeUnits(dispute.amount, currency);
  const payment = { reference: intent.id, chargeId: intent.metadata["charge_id"] ?? null };
  const dueBy = dispute.evidence_details.due_by;
  return {
    kind: "dispute",
    disputeRef: dispute.id,
    ...payment,
    status,
    amountMinor,
    currency,
    reason: dispute.reason,
    ...(dueBy === null ? {} : { evidenceDueAt: new Date(dueBy * 1000) }),
  };
};
