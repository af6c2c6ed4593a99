import Stripe from "stripe";
import type { LookupOutcome, PaymentOutcome, Refused } from "../../deps/processor-port.ts";
import { declineAdvice } from "../declines.ts";
import { StripeUnreached } from "./http-client.ts";
import { fromStripeUnits } from "./units.ts";

const declined = (processorRef: string | null, declineCode: string): PaymentOutcome => ({
  kind: "declined",
  processorRef,
  declineCode,
  ...declineAdvice(declineCode),
});

/** docs.stripe.com/payments/paymentintents/lifecycle. */
export const toPaymentOutcome = (intent: Stripe.PaymentIntent): PaymentOutcome => {
  const processorRef = intent.id;
  switch (intent.status) {
    case "succeeded":
      return { kind: "succeeded", processorRef };
    case "requires_capture":
      return { kind: "authorized", processorRef };
    case "processing":
      return { kind: "processing", processorRef };
    case "requires_action": {
      const actionUrl = intent.next_action?.redirect_to_url?.url;
      return actionUrl ? { kind: "requires_action", processorRef, actionUrl } : { kind: "unknown" };
    }
    case "requires_payment_method": {
      const error = intent.last_payment_error;
      // No payment attempt was made yet: the call that creates and confirms the payment is still running.
      if (!error) return { kind: "unknown" };
      if (error.code === "payment_intent_authentication_failure") {
        return declined(processorRef, "authentication_failed");
      }
      return declined(processorRef, error.decline_code ?? error.code ?? "generic_decline");
    }
    case "canceled":
      return declined(processorRef, "canceled");
    default:
      return { kind: "unknown" };
  }
};

/** The outcome of a look-up. The payment may have been captured or canceled in the meantime. */
export const toLookupOutcome = (intent: Stripe.PaymentIntent): LookupOutcome => {
  const processorRef = intent.id;
  if (intent.status === "canceled") return { kind: "voided", processorRef };
  if (intent.status !== "succeeded" || intent.capture_method !== "manual") return toPaymentOutcome(intent);
  const amountMinor = fromStripeUnits(intent.amount_received, intent.currency.toUpperCase());
  return { kind: "captured", processorRef, amountMinor };
};

export type Fault = { kind: "not_sent"; isAccountFault?: true } | { kind: "unknown" };

/** The outcome of a call that ended with an error: not sent, unknown, or refused by Stripe. */
export const faultOf = (error: unknown): Fault | { kind: "refusal"; error: Stripe.errors.StripeError } => {
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  if (error instanceof Stripe.errors.StripeConnectionError) {
    const { detail } = error;
    return detail instanceof StripeUnreached && detail.kind === "refused" ? { kind: "not_sent" } : { kind: "unknown" };
  }
  // Not processed: an unknown key, a key without a permission, an account that isn't ours, or a rate limit.
  const { StripeAuthenticationError, StripePermissionError, StripeRateLimitError } = Stripe.errors;
  if (error instanceof StripePermissionError && error.code === "account_invalid") {
    return { kind: "not_sent", isAccountFault: true };
  }
  const notProcessed = [StripePermissionError, StripeAuthenticationError, StripeRateLimitError];
  if (notProcessed.some((type) => error instanceof type)) return { kind: "not_sent" };
  // The outcome is unknown in three cases: the key was used with another body, the first call with the key is still
  // running, or the status is 5xx.
  if (error.statusCode === 409) return { kind: "unknown" };
  if (error instanceof Stripe.errors.StripeCardError || error instanceof Stripe.errors.StripeInvalidRequestError) {
    return { kind: "refusal", error };
  }
  return { kind: "unknown" };
};

export const toDeclinedPayment = (error: Stripe.errors.StripeError): PaymentOutcome => {
  const processorRef = error.payment_intent?.id ?? null;
  if (error instanceof Stripe.errors.StripeCardError) {
    return declined(processorRef, error.decline_code ?? error.code ?? "generic_decline");
  }
  // The limits depend on the account's currency and the exchange rate, so only Stripe knows them.
  const { code } = error;
  return declined(processorRef, code === "amount_too_small" || code === "amount_too_large" ? code : "invalid_request");
};

export const toRefused = (error: Stripe.errors.StripeError): Refused => ({
  kind: "refused",
  code: error.decline_code ?? error.code ?? "invalid_request",
});
