import { createHash } from "node:crypto";
import type { PaymentStatus } from "../store/records.ts";

/** The outcome of a payment, of its call and of its webhook. */
export type Behaviour = {
  status: PaymentStatus;
  declineCode: string | null;
  call: CallFault | null;
  webhook: WebhookFault | null;
};

const callFaults = ["timeout_before_accept", "timeout_after_accept", "error_once"] as const;
const webhookFaults = [
  "webhook_late",
  "webhook_lost",
  "webhook_twice",
  "webhook_out_of_order",
  "webhook_before_response",
] as const;
type CallFault = (typeof callFaults)[number];
export type WebhookFault = (typeof webhookFaults)[number];

/** The faults that `metadata.simulate` can request. */
export const simulations = ["decline:<decline_code>", "requires_action", ...callFaults, ...webhookFaults] as const;
export type Simulation = (typeof simulations)[number];

export const isFault = (text: string): boolean =>
  text === "requires_action" ||
  /^decline:[a-z_]{1,60}$/.test(text) ||
  [...callFaults, ...webhookFaults].some((fault) => fault === text);

const natural = { call: null, webhook: null };
const success: Behaviour = { ...natural, status: "succeeded", declineCode: null };
const declined = (declineCode: string): Behaviour => ({ ...natural, status: "declined", declineCode });
const requiresAction: Behaviour = { ...natural, status: "requires_action", declineCode: null };

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
    .concat("refundFail", "pendingRefund", "createDispute")
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
  return succeeding.has(paymentMethod) || faultOfMethod(paymentMethod) ? success : declined("invalid_payment_method");
};

/** Every fault has its own payment method: `pm_sim_timeout_after_accept`, `pm_sim_webhook_lost` and so on. */
const faultOfMethod = (paymentMethod: string): string | null => {
  const fault = paymentMethod.startsWith("pm_sim_") ? paymentMethod.slice("pm_sim_".length) : "";
  return isFault(fault) ? fault : null;
};

/** Whether the caller requested a fault, by `simulate` or by the payment method. */
export const requestsFault = (request: { simulate: string | null; paymentMethodRef: string }): boolean =>
  (request.simulate !== null && isFault(request.simulate)) || faultOfMethod(request.paymentMethodRef) !== null;

/**
 * The payment method decides the outcome unless `simulate` does (docs/spec/payments.md, Simulator). An unknown fault
 * name has no effect.
 */
export const behaviourOf = (request: {
  paymentMethod: string;
  payerPresence: string;
  capture: string;
  simulate: string | null;
}): Behaviour => {
  const ofCard = ofMethod(request.paymentMethod, request.payerPresence);
  const captured: Behaviour =
    ofCard.status === "succeeded" && request.capture === "manual" ? { ...ofCard, status: "authorized" } : ofCard;
  const steer = request.simulate ?? faultOfMethod(request.paymentMethod);
  if (steer === null) return captured;
  if (steer.startsWith("decline:")) return declined(steer.slice("decline:".length) || "generic_decline");
  if (steer === "requires_action") return requiresAction;
  const call = callFaults.find((fault) => fault === steer) ?? null;
  // The webhook must not reveal an outcome that the caller has to look up.
  const webhook = call === "timeout_after_accept" ? "webhook_late" : webhookFaults.find((fault) => fault === steer);
  return { ...captured, call, webhook: webhook ?? null };
};

/** The latency of a key: evenly distributed between the bounds, from a hash of the key. */
export const latencyMs = (key: string, [least, most]: readonly [number, number]): number =>
  least + (createHash("sha256").update(key).digest().readUInt32BE(0) % (most - least + 1));
