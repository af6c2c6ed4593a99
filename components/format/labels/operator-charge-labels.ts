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

const acts: Readonly<Record<string, string>> = {
  "charge.review_needed": "Handed over to an operator",
  "charge.searched": "Searched again, nothing found out",
  "charge.unknown": "Its outcome became unknown",
  "charge.contradicted": "The processor said otherwise",
  "charge.contradiction_closed": "What the processor said was looked into",
};

export const operatorChargeActionLabel = (action: string): string =>
  acts[action] ?? sentenceCase(action.replace(/^charge\./, ""));

const paid: Readonly<Record<string, string>> = {
  authorized: "is held",
  succeeded: "was paid",
  captured: "was taken",
  disputed: "is disputed",
  another_amount: "stands there, where another amount was asked for",
};

/** What the processor says, beside what the books say. */
export const describeContradiction = (told: OperatorContradiction, reader: Reader): string => {
  const theirs = told.about === "payment" ? theirPayment(told, reader) : `${amountOf(told, reader)} was given back`;
  const ours =
    told.about === "payment" ? `here the charge is ${told.charge.state}` : "that doesn’t fit what is booked here";
  return `${sentenceCase(told.processor)} says that ${theirs}; ${ours}.`;
};

const amountOf = (told: OperatorContradiction, reader: Reader): string =>
  formatAmount(told.amountMinor, told.currency, reader);

const theirPayment = (told: OperatorContradiction, reader: Reader): string =>
  told.told === "another_currency"
    ? "what stands there is in another currency"
    : `${amountOf(told, reader)} ${paid[told.told] ?? told.told}`;
