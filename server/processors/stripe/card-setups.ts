import type Stripe from "stripe";
import type { CardSetupBegun, CardSetupOutcome, CardSetupRequest, CardSetups } from "../../deps/processor-port.ts";
import { epochSeconds } from "../../kernel/time/clock.ts";
import type { Admits } from "./http-client.ts";
import { faultOf } from "./outcomes.ts";

/** Customers and the pages for cards belong to the platform's account; payers' payments never do. */
export const ofPlatform: Admits = ({ path, account }) =>
  account === null && /^\/v1\/(customers|checkout\/sessions(\/[\w]+(\?.*)?)?)$/.test(path);

/**
 * Stripe Checkout in `setup` mode: Stripe's page takes the card, checks it with its bank and stores it with a
 * new customer on our platform's account (docs.stripe.com/payments/save-and-reuse, Stripe-hosted page).
 */
export const stripeCardSetups = (stripe: Stripe): CardSetups => ({
  begin: (request) => begin(stripe, request),
  find: ({ setupRef }) => find(stripe, setupRef),
});

const begin = async (stripe: Stripe, request: CardSetupRequest): Promise<CardSetupBegun> => {
  const { key, doneUrl, leaveUrl, expiresAt } = request;
  try {
    const { id: customer } = await stripe.customers.create({}, { idempotencyKey: `${key}:customer` });
    const session = await stripe.checkout.sessions.create(
      {
        mode: "setup",
        customer,
        allowed_payment_method_types: ["card"],
        success_url: doneUrl,
        cancel_url: leaveUrl,
        expires_at: epochSeconds(expiresAt),
      },
      { idempotencyKey: key },
    );
    return session.url === null ? { kind: "unknown" } : { kind: "begun", setupRef: session.id, pageUrl: session.url };
  } catch (error) {
    const fault = faultOf(error);
    return fault.kind === "refusal" ? { kind: "not_sent" } : fault;
  }
};

const find = async (stripe: Stripe, setupRef: string): Promise<CardSetupOutcome> => {
  try {
    const expand = ["setup_intent.payment_method"];
    return toOutcome(await stripe.checkout.sessions.retrieve(setupRef, { expand }));
  } catch (error) {
    const fault = faultOf(error);
    const isMissing = fault.kind === "refusal" && fault.error.code === "resource_missing";
    return isMissing ? { kind: "ended" } : { kind: "unknown" };
  }
};

/** docs.stripe.com/api/checkout/sessions/object: `status`, `setup_intent`. */
const toOutcome = ({ status, customer, setup_intent: intent }: Stripe.Checkout.Session): CardSetupOutcome => {
  if (status === "open") return { kind: "open" };
  if (status === "expired") return { kind: "ended" };
  if (intent === null || typeof intent === "string" || intent.status !== "succeeded") return { kind: "unknown" };
  const method = intent.payment_method;
  if (method === null || typeof method === "string" || !method.card || typeof customer !== "string") {
    return { kind: "unknown" };
  }
  const { brand, last4 } = method.card;
  return {
    kind: "added",
    processorRef: `${customer}/${method.id}`,
    type: "card",
    label: `${brandName(brand)} ending in ${last4}`,
  };
};

/** Display names of Stripe's brands (docs.stripe.com/api/payment_methods/object, `card.brand`). */
const brands: Readonly<Record<string, string>> = {
  amex: "American Express",
  diners: "Diners Club",
  jcb: "JCB",
  unionpay: "UnionPay",
  eftpos_au: "eftpos",
  unknown: "Card",
};

const brandName = (brand: string): string => brands[brand] ?? `${brand.charAt(0).toUpperCase()}${brand.slice(1)}`;
