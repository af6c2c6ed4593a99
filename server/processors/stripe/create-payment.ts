import type Stripe from "stripe";
import type { PaymentOutcome, PaymentRequest } from "../../deps/processor-port.ts";
import { faultOf, toDeclinedPayment, toPaymentOutcome } from "./outcomes.ts";
import { toStripeUnits } from "./units.ts";

type Requested = Pick<PaymentRequest, "key" | "amountMinor" | "currency">;
type Call = {
  parameters: Omit<Stripe.PaymentIntentCreateParams, "amount" | "currency" | "confirm">;
  options?: Pick<Stripe.RequestOptions, "stripeAccount" | "timeout">;
};

/** Creates and confirms a card payment in one call. */
export const createPayment = async (
  stripe: Stripe,
  { key, amountMinor, currency }: Requested,
  { parameters, options = {} }: Call,
): Promise<PaymentOutcome> => {
  try {
    const intent = await stripe.paymentIntents.create(
      {
        ...parameters,
        amount: toStripeUnits(amountMinor, currency),
        currency: currency.toLowerCase(),
        allowed_payment_method_types: ["card"],
        confirm: true,
      },
      { ...options, idempotencyKey: key },
    );
    return toPaymentOutcome(intent);
  } catch (error) {
    const fault = faultOf(error);
    return fault.kind === "refusal" ? toDeclinedPayment(fault.error) : fault;
  }
};
