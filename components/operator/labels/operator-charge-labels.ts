import type { OperatorChargeDetail } from "#server/trpc/operator/charges/charge-detail-view.ts";
import type { OperatorContradiction } from "#server/trpc/operator/operator-views.ts";
import { formatAmount } from "../../format/money.ts";
import type { Reader } from "../../format/reader.ts";
import { sentenceCase } from "../../format/text.ts";
import type { Tone } from "../../ui/pill.tsx";

type ChargeState = OperatorChargeDetail["state"];

/** The states in the order of a charge's life. They are also the choices of the list's filter. */
export const operatorChargeStates: Readonly<Record<ChargeState, { tone: Tone; label: string }>> = {
  reserved: { tone: "note", label: "Reserved" },
  requires_action: { tone: "note", label: "Waiting for the payer" },
  submitted: { tone: "note", label: "Submitted" },
  processing: { tone: "note", label: "Processing" },
  unknown: { tone: "unknown", label: "Outcome unknown" },
  authorized: { tone: "good", label: "Authorized" },
  succeeded: { tone: "good", label: "Succeeded" },
  captured: { tone: "good", label: "Captured" },
  partially_captured: { tone: "good", label: "Partially captured" },
  partially_refunded: { tone: "good", label: "Partially refunded" },
  refunded: { tone: "neutral", label: "Refunded" },
  disputed: { tone: "bad", label: "Disputed" },
  declined: { tone: "bad", label: "Declined" },
  voided: { tone: "neutral", label: "Voided" },
  expired: { tone: "neutral", label: "Expired" },
};

export const isChargeState = (text: string | undefined): text is ChargeState =>
  text !== undefined && Object.hasOwn(operatorChargeStates, text);

export const operatorChargeStateLabel = ({ state }: { state: ChargeState }): { tone: Tone; label: string } =>
  operatorChargeStates[state];

export const refundStatusLabels = {
  pending: { tone: "note", label: "In progress" },
  succeeded: { tone: "good", label: "Refunded" },
  failed: { tone: "bad", label: "Failed" },
} as const;

/** See `timelineText`. */
const actionLabels: Readonly<Record<string, string>> = {
  "charge.requires_action": "The payer was asked to confirm the charge.",
  "charge.approved": "The payer approved the charge.",
  "charge.authorized": "Authorized: {amount} was held.",
  "charge.voided": "Voided: nothing was charged.",
  "charge.expired": "Expired: nothing was charged.",
  "charge.capture_refused": "The processor refused the capture.",
  "charge.void_refused": "The processor refused to void the charge.",
  "charge.expire_refused": "The hold could not be released yet.",
  "refund.created": "Refund requested",
  "refund.succeeded": "Refunded",
  "refund.failed": "Refund of {amount} failed. No money was returned.",
  "dispute.opened": "The payer disputes {amount} at their bank.",
  "dispute.closed": "The dispute was closed.",
  "charge.review_needed": "Passed to an operator for review.",
  "charge.searched": "Looked up again without a result.",
  "charge.unknown": "The outcome is unknown.",
  "charge.contradicted": "The processor reported a different result.",
  "charge.contradiction_closed": "The processor’s report was reviewed.",
};

export const operatorChargeActionLabel = (action: string): string =>
  actionLabels[action] ?? sentenceCase(action.replace(/^charge\./, ""));

const paymentStates: Readonly<Record<string, string>> = {
  authorized: "is held",
  succeeded: "was paid",
  captured: "was captured",
  disputed: "is disputed",
  another_amount: "was charged, but a different amount was requested",
};

/** Compares the processor's record with ours, in a sentence or two. */
export const describeContradiction = (contradiction: OperatorContradiction, reader: Reader): string => {
  const { about, processor, amountMinor, currency, reported } = contradiction;
  const amount = formatAmount(amountMinor, currency, reader);
  const name = sentenceCase(processor);
  if (about !== "payment") return `${name} reports a refund of ${amount}, which doesn’t match our records.`;
  const theirs =
    reported === "another_currency"
      ? "a payment in another currency"
      : `that ${amount} ${paymentStates[reported] ?? reported}`;
  const { state } = contradiction.charge;
  const ours = isChargeState(state) ? operatorChargeStates[state].label : state;
  return `${name} reports ${theirs}. In our records, the status of the charge is “${ours}”.`;
};
