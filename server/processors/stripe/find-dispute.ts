import type Stripe from "stripe";
import type { DisputeOutcome, FoundDispute } from "../port.ts";
import { faultOf } from "./outcomes.ts";
import { fromStripeUnits } from "./units.ts";

/** An inquiry, and what was prevented, moves no money and is told as none (docs.stripe.com/disputes/how-disputes-work). */
const statuses: Readonly<Record<string, FoundDispute["status"]>> = {
  needs_response: "open",
  under_review: "open",
  appeal_needs_response: "open",
  appeal_under_review: "open",
  won: "won",
  lost: "lost",
};

/** Whose it is says our mark on the payment. */
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
  const chargeId = intent === null || typeof intent === "string" ? undefined : intent.metadata["charge_id"];
  if (status === undefined || chargeId === undefined) return { kind: "not_found" };
  const currency = dispute.currency.toUpperCase();
  const amountMinor = fromStripeUnits(dispute.amount, currency);
  return { kind: "dispute", disputeRef: dispute.id, chargeId, status, amountMinor, currency, reason: dispute.reason };
};
