import type Stripe from "stripe";
import type { LookupOutcome, OwnAccount, OwnPaymentRequest, PaymentOutcome } from "../../deps/processor-port.ts";
import { declineAdvice } from "../declines.ts";
import { createPayment } from "./create-payment.ts";
import type { Admits } from "./http-client.ts";
import { outcomeOfFound } from "./look-up-payment.ts";
import { faultOf } from "./outcomes.ts";
import { type KeptCard, keptCardOf } from "./payment-method.ts";

/** Admits only calls about payments, and only on our own account. */
export const ofOwnAccount: Admits = ({ path, account }) =>
  account === null && /^\/v1\/payment_intents(\/pi_\w+)?(\?.*)?$/.test(path);

/**
 * Merchants' payments of invoices, with a card that a merchant stored on our account. `id` isn't Stripe's id of the
 * account: the secret key determines the account.
 */
export const stripeOwnAccount = (stripe: Stripe): OwnAccount => ({
  id: "platform",
  pay: (request) => pay(stripe, request),
  lookup: (request) => lookUp(stripe, request),
});

/** The merchant is absent and can't authenticate. If its bank requires this, the payment is declined immediately. */
const pay = async (stripe: Stripe, request: OwnPaymentRequest): Promise<PaymentOutcome> => {
  const card = keptCardOf(request.paymentMethodRef);
  if (!card) {
    const declineCode = "invalid_request";
    return { kind: "declined", processorRef: null, declineCode, ...declineAdvice(declineCode) };
  }
  const metadata = { payment_id: request.key };
  const parameters = { customer: card.customer, payment_method: card.method, off_session: true, metadata };
  return createPayment(stripe, request, { parameters });
};

type Lookup = Parameters<OwnAccount["lookup"]>[0];

/** A refused look-up proves nothing: the payment may be on another account than the one of our secret key. */
const lookUp = async (stripe: Stripe, request: Lookup): Promise<LookupOutcome> => {
  const card = keptCardOf(request.paymentMethodRef);
  if (!card) return { kind: "not_found" };
  try {
    if (request.reference === null) return await findByKey(stripe, card, request);
    return outcomeOfFound([await stripe.paymentIntents.retrieve(request.reference)], request);
  } catch (error) {
    faultOf(error);
    return { kind: "unknown" };
  }
};

/**
 * The customer's newest payments contain the payment, if it exists: a card has its own customer, and nothing else is
 * paid with it. A list contains a new payment immediately, unlike Stripe's search.
 */
const findByKey = async (stripe: Stripe, { customer }: KeptCard, request: Lookup): Promise<LookupOutcome> => {
  const { data, has_more: hasMore } = await stripe.paymentIntents.list({ customer, limit: 100 });
  const found = data.filter(({ metadata }) => metadata["payment_id"] === request.key);
  return found.length === 0 && hasMore ? { kind: "unknown" } : outcomeOfFound(found, request);
};
