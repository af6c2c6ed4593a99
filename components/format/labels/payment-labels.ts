import type { MerchantPayment, MerchantPaymentDetail } from "#server/trpc/merchant/payment-views.ts";
import type { Tone } from "../../ui/pill.tsx";
import { sentenceCase } from "../text.ts";

type StateLabel = { tone: Tone; label: string };

/** As the merchant reads them: who is waited for is said. */
const states: Readonly<Record<MerchantPayment["state"], StateLabel>> = {
  reserved: { tone: "note", label: "Under way" },
  requires_action: { tone: "note", label: "Waiting for the payer" },
  submitted: { tone: "note", label: "Under way" },
  processing: { tone: "note", label: "Under way" },
  unknown: { tone: "unknown", label: "Being checked" },
  authorized: { tone: "warn", label: "To be captured" },
  succeeded: { tone: "good", label: "Paid" },
  captured: { tone: "good", label: "Paid" },
  partially_captured: { tone: "good", label: "Paid in part" },
  partially_refunded: { tone: "good", label: "Refunded in part" },
  refunded: { tone: "neutral", label: "Refunded" },
  declined: { tone: "bad", label: "Declined" },
  voided: { tone: "neutral", label: "Voided" },
  expired: { tone: "neutral", label: "Lapsed" },
  disputed: { tone: "bad", label: "Disputed" },
};

export const paymentStateLabel = ({ state }: Pick<MerchantPayment, "state">): StateLabel => states[state];

/** What a member could do now, as the charge stands; the verbs decide. */
export const possiblePaymentActions = (payment: MerchantPaymentDetail) => {
  const left = payment.amountCapturedMinor - payment.amountRefundedMinor - payment.amountRefundingMinor;
  return {
    isCapturable: payment.state === "authorized" && payment.pendingAct === null,
    refundableMinor: payment.state === "disputed" ? 0 : left,
  };
};

const acts: Readonly<Record<string, string>> = {
  "charge.requires_action": "The payer was asked to approve it",
  "charge.approved": "The payer approved it",
  "charge.processing": "The processor is working on it",
  "charge.unknown": "The processor gave no answer; it is being asked",
  "charge.authorized": "Authorised: the amount is held",
  "charge.succeeded": "Paid",
  "charge.captured": "Captured",
  "charge.partially_captured": "Captured in part; the rest was released",
  "charge.capture_refused": "The processor refused the capture",
  "charge.void_refused": "The processor refused to void it",
  "charge.expire_refused": "The hold could not be released yet",
  "charge.declined": "Declined",
  "charge.voided": "Voided: the hold was released",
  "charge.expired": "Lapsed: nobody captured it in time",
  "charge.review_needed": "Handed to Paygrant’s operators, who find out what became of it",
  "charge.disputed": "Disputed",
  "dispute.opened": "The payer disputes it at their bank",
  "dispute.closed": "The dispute is over",
  "refund.created": "Refund asked for",
  "refund.succeeded": "Refunded",
  "refund.failed": "The refund failed; nothing was given back",
};

const actors: Readonly<Record<string, string>> = {
  client: "by an app of yours",
  merchant: "by a member of yours",
  payer: "by the payer",
  operator: "by Paygrant",
};

export const describePaymentEntry = ({ action, actorKind }: { action: string; actorKind: string }): string => {
  const act = acts[action] ?? sentenceCase(action);
  const actor = action.startsWith("charge.approved") ? undefined : actors[actorKind];
  return actor ? `${act}, ${actor}` : act;
};
