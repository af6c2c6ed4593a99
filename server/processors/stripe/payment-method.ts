import Stripe from "stripe";
import type { PaymentOutcome, PaymentRequest } from "../../deps/processor-port.ts";
import { faultOf, toDeclinedPayment } from "./outcomes.ts";

const kept = /^(cus_[A-Za-z0-9]+)\/(pm_[A-Za-z0-9]+)$/;

/** A card on our own account, with its customer. */
export type KeptCard = { customer: string; method: string };

/**
 * A reference `customer/method` names a method on our own account. A reference without a customer, such as one of
 * Stripe's test methods, works in every account.
 */
export const keptCardOf = (paymentMethodRef: string): KeptCard | null => {
  const [, customer, method] = kept.exec(paymentMethodRef) ?? [];
  return customer === undefined || method === undefined ? null : { customer, method };
};

type Usable = { id: string } | { outcome: PaymentOutcome };

/**
 * Returns a payment method that the merchant's account can charge. A payer's method is stored once, on our platform's
 * account, and cloned to the merchant's account for each charge. A clone without a customer can pay once
 * (docs.stripe.com/connect/direct-charges-multiple-accounts). The idempotency key is derived from the charge's key, so
 * a repeated request makes no second clone.
 */
export const usableAt = async (stripe: Stripe, request: PaymentRequest, timeout: number): Promise<Usable> => {
  const card = keptCardOf(request.paymentMethodRef);
  if (!card) return { id: request.paymentMethodRef };
  const options = { idempotencyKey: `${request.key}:method`, stripeAccount: request.account, timeout };
  try {
    return await stripe.paymentMethods.create({ customer: card.customer, payment_method: card.method }, options);
  } catch (error) {
    return { outcome: notCloned(error) };
  }
};

/** Without a confirmed clone no payment is sent. */
const notCloned = (error: unknown): PaymentOutcome => {
  const fault = faultOf(error);
  if (fault.kind === "refusal") return toDeclinedPayment(fault.error);
  // Another request is creating the clone at this moment, and may then pay.
  if (error instanceof Stripe.errors.StripeIdempotencyError) return { kind: "unknown" };
  return { ...fault, kind: "not_sent" };
};
