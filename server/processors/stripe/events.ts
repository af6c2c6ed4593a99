import Stripe from "stripe";
import type { ProcessorEvent, WebhookMessage } from "../../deps/processor-port.ts";

const toleranceSeconds = 300;

/** Signed webhooks of connected accounts (docs.stripe.com/webhooks, docs.stripe.com/connect/webhooks). */
export const readStripeEvent = (
  stripe: Stripe,
  secret: string,
  { body, header, now }: WebhookMessage,
): ProcessorEvent | "forged" | null => {
  const signature = header("stripe-signature") ?? "";
  try {
    const args = [body, signature, secret, toleranceSeconds, undefined, now.getTime()] as const;
    return toEvent(stripe.webhooks.constructEvent(...args));
  } catch (error) {
    if (error instanceof Stripe.errors.StripeSignatureVerificationError) return "forged";
    throw error;
  }
};

/**
 * Our payments have our id in their metadata. Their charges inherit the metadata, and our refunds have our id too.
 * Objects that were created in Stripe's dashboard don't have our id, only a reference to their payment.
 */
const toEvent = (event: Stripe.Event): ProcessorEvent | null => {
  const { object } = event.data;
  // Events of the platform itself have no account.
  if (!("object" in object) || event.account === undefined) return null;
  const { id, type, account } = event;
  switch (object.object) {
    case "payment_intent":
      return ofPayment({ id, type, account, about: "payment" }, object.id, object.metadata);
    case "charge": {
      const about = type.startsWith("charge.refund") ? "refund" : "payment";
      return ofPayment({ id, type, account, about }, idOf(object.payment_intent), object.metadata);
    }
    case "refund":
      return ofPayment({ id, type, account, about: "refund" }, idOf(object.payment_intent), object.metadata);
    case "dispute":
      return { id, type, account, about: "dispute", disputeRef: object.id };
    case "account":
      return { id, type, account, about: "account" };
    case "application":
      // account.application.deauthorized: the merchant disconnected its account.
      return { id, type, account, about: "account" };
    default:
      return null;
  }
};

const idOf = (intent: string | { id: string } | null): string | null =>
  typeof intent === "string" ? intent : (intent?.id ?? null);

const ofPayment = (
  event: { id: string; type: string; account: string; about: "payment" | "refund" },
  reference: string | null,
  metadata: Stripe.Metadata | null,
): ProcessorEvent | null =>
  reference === null ? null : { ...event, reference, chargeId: metadata?.["charge_id"] ?? null };
