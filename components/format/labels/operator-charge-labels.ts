import type { OperatorChargeDetail, OperatorContradiction } from "#server/trpc/operator/operator-views.ts";
import type { Tone } from "../../ui/pill.tsx";
import { formatAmount } from "../money.ts";
import type { Reader } from "../reader.ts";
import { sentenceCase } from "../text.ts";

const states: Partial<Record<OperatorChargeDetail["state"], { tone: Tone; label: string }>> = {
  unknown: { tone: "unknown", label: "Outcome unknown" },
  succeeded: { tone: "good", label: "Succeeded" },
  authorized: { tone: "good", label: "Authorised" },
  declined: { tone: "bad", label: "Declined" },
};

export const operatorChargeStateLabel = ({
  state,
}: Pick<OperatorChargeDetail, "state">): { tone: Tone; label: string } =>
  states[state] ?? { tone: "neutral", label: sentenceCase(state) };

const actionLabels: Readonly<Record<string, string>> = {
  "charge.review_needed": "Passed to an operator for review",
  "charge.searched": "Searched again without a result",
  "charge.unknown": "Outcome unknown",
  "charge.contradicted": "The processor reported a different result",
  "charge.contradiction_closed": "The processor’s report was reviewed",
};

export const operatorChargeActionLabel = (action: string): string =>
  actionLabels[action] ?? sentenceCase(action.replace(/^charge\./, ""));

const paymentStates: Readonly<Record<string, string>> = {
  authorized: "is held",
  succeeded: "was paid",
  captured: "was captured",
  disputed: "is disputed",
  another_amount: "was charged, which isn’t the requested amount",
};

/** The processor's record next to ours. */
export const describeContradiction = (contradiction: OperatorContradiction, reader: Reader): string => {
  const { about, processor, amountMinor, currency, reported } = contradiction;
  const amount = formatAmount(amountMinor, currency, reader);
  const name = sentenceCase(processor);
  if (about !== "payment") return `${name} reports a refund of ${amount}, which doesn’t match our records.`;
  const theirs =
    reported === "another_currency"
      ? "a payment in another currency"
      : `that ${amount} ${paymentStates[reported] ?? reported}`;
  return `${name} reports ${theirs}. In our records, the charge is ${contradiction.charge.state}.`;
};
