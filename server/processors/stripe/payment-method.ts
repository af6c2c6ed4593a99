import Stripe from "stripe";
import type { PaymentOutcome, PaymentRequest } from "../../deps/processor-port.ts";
import { faultOf, toDecline } from "./outcomes.ts";

/** Of a payer's customer on our own account; a name without one, as Stripe's test methods have, is known to every account. */
const kept = /^(cus_[A-Za-z0-9]+)\/(pm_[A-Za-z0-9]+)$/;

type Usable = { id: string } | { outcome: PaymentOutcome };

/**
 * What the merchant's own account can charge. A payer's method is kept once, on our platform's account, and cloned to the
 * account for each charge: a clone without a customer there pays once and is of no more use
 * (docs.stripe.com/connect/direct-charges-multiple-accounts). Its key is of the charge: repeating makes no second one.
 */
export const usableAt = async (stripe: Stripe, request: PaymentRequest, timeout: number): Promise<Usable> => {
  const [, customer, method] = kept.exec(request.paymentMethodRef) ?? [];
  if (customer === undefined || method === undefined) return { id: request.paymentMethodRef };
  const options = { idempotencyKey: `${request.key}:method`, stripeAccount: request.account, timeout };
  try {
    return await stripe.paymentMethods.create({ customer, payment_method: method }, options);
  } catch (error) {
    return { outcome: notCloned(error) };
  }
};

/** Without a clone no payment is sent, whatever became of the clone. */
const notCloned = (error: unknown): PaymentOutcome => {
  const fault = faultOf(error);
  if (fault.kind === "refusal") return toDecline(fault.error);
  // Somebody else makes it in this moment, and may go on to pay.
  if (error instanceof Stripe.errors.StripeIdempotencyError) return { kind: "unknown" };
  return { ...fault, kind: "not_sent" };
};
