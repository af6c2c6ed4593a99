import { declineReason } from "#server/kernel/messages/decline-reason.ts";
import { translator } from "#server/kernel/messages/translator.ts";
import type { MerchantPayment, MerchantPaymentDetail } from "#server/trpc/merchant/payment-views.ts";
import type { Tone } from "../../ui/pill.tsx";
import { sentenceCase } from "../text.ts";
import { timelineText } from "../timeline-text.ts";

type StateLabel = { tone: Tone; label: string };

/** Labels for merchants. */
const states: Readonly<Record<MerchantPayment["state"], StateLabel>> = {
  reserved: { tone: "note", label: "In progress" },
  requires_action: { tone: "note", label: "Waiting for the payer" },
  submitted: { tone: "note", label: "In progress" },
  processing: { tone: "note", label: "In progress" },
  unknown: { tone: "unknown", label: "Being checked" },
  authorized: { tone: "warn", label: "Awaiting capture" },
  succeeded: { tone: "good", label: "Paid" },
  captured: { tone: "good", label: "Paid" },
  partially_captured: { tone: "good", label: "Partially captured" },
  partially_refunded: { tone: "good", label: "Partially refunded" },
  refunded: { tone: "neutral", label: "Refunded" },
  declined: { tone: "bad", label: "Declined" },
  voided: { tone: "neutral", label: "Voided" },
  expired: { tone: "neutral", label: "Expired" },
  disputed: { tone: "bad", label: "Disputed" },
};

export const paymentStateLabel = ({ state }: Pick<MerchantPayment, "state">): StateLabel => states[state];

/** The text after the state of a declined payment. Empty for other states, and if the reason is unknown. */
export const describeDecline = ({ state, declineCode }: { state: string; declineCode: string | null }): string =>
  state === "declined" && declineCode !== null
    ? ` No money moved: ${declineReason(declineCode, translator("en", "activity"))}.`
    : "";

/** States that are expected to change soon, without an action of the merchant. */
const openStates: ReadonlySet<string> = new Set(["reserved", "requires_action", "submitted", "processing", "unknown"]);

type Pending = Pick<MerchantPaymentDetail, "state" | "pendingAct" | "amountRefundingMinor">;

/** Whether the result of the payment, of an action on it or of a refund is expected soon. */
export const isPendingPayment = ({ state, pendingAct, amountRefundingMinor }: Pending): boolean =>
  openStates.has(state) || pendingAct !== null || amountRefundingMinor > 0;

const pendingTexts = {
  capture: "The capture is in progress.",
  void: "The payment is being voided.",
  expire: "The expired hold is being released.",
  refund: "The refund is in progress.",
} as const;

/** The act or refund that is in progress, null if there is none. For other work in progress, see the state's label. */
export const describePending = ({ pendingAct, amountRefundingMinor }: Pending): string | null => {
  const pending = pendingAct ?? (amountRefundingMinor > 0 ? "refund" : null);
  return pending && `${pendingTexts[pending]} This page shows the result as soon as the processor responds.`;
};

/** The actions that the state allows. The server checks this again. */
export const possiblePaymentActions = (payment: MerchantPaymentDetail) => {
  const left = payment.amountCapturedMinor - payment.amountRefundedMinor - payment.amountRefundingMinor;
  return {
    isCapturable: payment.state === "authorized" && payment.pendingAct === null,
    refundableMinor: payment.state === "disputed" ? 0 : left,
  };
};

/** See `timelineText`. */
const actionLabels: Readonly<Record<string, string>> = {
  "charge.requires_action": "The payer was asked to confirm the payment.",
  "charge.approved": "The payer approved the payment.",
  "charge.processing": "The processor started to work on the payment.",
  "charge.unknown": "The outcome isn’t known yet. A look-up was started.",
  "charge.authorized": "Authorized: {amount} was held.",
  "charge.succeeded": "Paid",
  "charge.captured": "Captured",
  "charge.partially_captured": "Partially captured",
  "charge.capture_refused": "The processor refused the capture.",
  "charge.void_refused": "The processor refused to void the payment.",
  "charge.expire_refused": "The hold could not be released yet.",
  "charge.declined": "Declined",
  "charge.voided": "Voided: nothing was charged.",
  "charge.expired": "Expired: nothing was charged.",
  "charge.review_needed": "Passed to Paygrant for review.",
  "charge.contradicted": "The processor reported a different result.",
  "charge.searched": "Paygrant looked up the payment again.",
  "charge.contradiction_closed": "Paygrant reviewed the processor’s report.",
  "charge.disputed": "Disputed",
  "dispute.opened": "The payer disputed {amount} at their bank.",
  "dispute.closed": "The dispute was closed.",
  "refund.created": "Refund requested",
  "refund.succeeded": "Refunded",
  "refund.failed": "Refund of {amount} failed. No money was returned.",
};

const actors: Readonly<Record<string, string>> = {
  client: "by one of your apps",
  merchant: "by a member of your team",
  payer: "by the payer",
  operator: "by Paygrant",
};

const actionsOfPeople = [
  "charge.captured",
  "charge.partially_captured",
  "charge.voided",
  "refund.created",
  "refund.succeeded",
] as const;

type Entry = { action: string; actorKind: string };

/** @param amount of the entry, formatted; null: none */
export const describePaymentEntry = ({ action }: Pick<Entry, "action">, amount: string | null): string => {
  const text = timelineText(actionLabels[action] ?? sentenceCase(action), amount);
  return action === "charge.partially_captured" ? `${text}. The rest was released.` : text;
};

/** Who captured, voided or refunded the payment. Null for other entries. */
export const paymentEntryActor = ({ action, actorKind }: Entry): string | null =>
  actionsOfPeople.some((name) => name === action) ? (actors[actorKind] ?? null) : null;

export const refundReasonLabels = {
  requested_by_customer: "Requested by the payer",
  duplicate: "Duplicate",
  fraudulent: "Fraudulent",
  other: "Other",
} as const;
