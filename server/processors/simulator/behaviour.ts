import { createHash } from "node:crypto";
import type { PaymentStatus } from "./records.ts";

/** What a payment comes to, and how the call about it goes. */
export type Behaviour = { status: PaymentStatus; declineCode: string | null; fault: Fault | null };
type Fault = "timeout_before_accept" | "timeout_after_accept" | "error_once";

const success: Behaviour = { status: "succeeded", declineCode: null, fault: null };
const declined = (declineCode: string): Behaviour => ({ status: "declined", declineCode, fault: null });
const requiresAction: Behaviour = { status: "requires_action", declineCode: null, fault: null };

/** Stripe's test payment methods; `visa_` before the name of a decline is optional. */
const declinesByMethod: Readonly<Record<string, string>> = {
  pm_card_chargeDeclined: "generic_decline",
  pm_card_chargeDeclinedInsufficientFunds: "insufficient_funds",
  pm_card_chargeDeclinedLostCard: "lost_card",
  pm_card_chargeDeclinedStolenCard: "stolen_card",
  pm_card_chargeDeclinedExpiredCard: "expired_card",
  pm_card_chargeDeclinedIncorrectCvc: "incorrect_cvc",
  pm_card_chargeDeclinedProcessingError: "processing_error",
  pm_card_chargeDeclinedFraudulent: "fraudulent",
};
const succeeding: ReadonlySet<string> = new Set(
  "visa visa_debit mastercard mastercard_debit mastercard_prepaid amex discover diners jcb unionpay"
    .split(" ")
    .concat("refundFail", "pendingRefund")
    .map((name) => `pm_card_${name}`),
);
const authenticating: ReadonlySet<string> = new Set([
  "pm_card_authenticationRequired",
  "pm_card_authenticationRequiredOnSetup",
  "pm_card_threeDSecure2Required",
]);

const ofMethod = (paymentMethod: string, payerPresence: string): Behaviour => {
  const decline = declinesByMethod[paymentMethod.replace("pm_card_visa_", "pm_card_")];
  if (decline) return declined(decline);
  if (authenticating.has(paymentMethod)) {
    return payerPresence === "in_session" ? requiresAction : declined("authentication_required");
  }
  return succeeding.has(paymentMethod) ? success : declined("invalid_payment_method");
};

/** The method says what comes of it, unless `simulate` does (2-payments, Processors). */
export const behaviourOf = (request: {
  paymentMethod: string;
  payerPresence: string;
  capture: string;
  simulate: string | null;
}): Behaviour => {
  const natural = ofMethod(request.paymentMethod, request.payerPresence);
  const captured: Behaviour =
    natural.status === "succeeded" && request.capture === "manual" ? { ...natural, status: "authorized" } : natural;
  const { simulate } = request;
  if (simulate === null) return captured;
  if (simulate.startsWith("decline:")) return declined(simulate.slice("decline:".length) || "generic_decline");
  if (simulate === "requires_action") return requiresAction;
  if (simulate === "timeout_before_accept" || simulate === "timeout_after_accept" || simulate === "error_once") {
    return { ...captured, fault: simulate };
  }
  return captured;
};

/** The same key always takes as long: an even spread between the bounds, drawn from a hash of it. */
export const latencyMs = (key: string, [least, most]: readonly [number, number]): number =>
  least + (createHash("sha256").update(key).digest().readUInt32BE(0) % (most - least + 1));
