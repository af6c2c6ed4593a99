import type { ChargeRow } from "../../data/charges/charges.ts";
import type { Deps } from "../../deps/deps.ts";
import type { PaymentOutcome } from "../../deps/processor-port.ts";
import { declineAdvice } from "../../processors/declines.ts";
import { getChargeUnderReview, type OperatorAct, settleByOperator } from "./charge-under-review.ts";

/**
 * The operator's finding at the processor: a payment with its id, or no payment. In the second case, no
 * payment can arrive any more.
 */
export type Finding = { kind: "succeeded" | "declined"; processorRef: string } | { kind: "nothing" };

/** Used if the payment's own decline code is unknown. */
const declineCode = "generic_decline";

/** @throws DomainError not_found, charge_not_under_review. */
export const settleChargeUnderReview = async (
  deps: Deps,
  { finding, ...act }: OperatorAct & { finding: Finding },
): Promise<ChargeRow> => {
  const charge = await getChargeUnderReview(deps, act.chargeId);
  return settleByOperator(deps, charge, { ...act, outcome: outcomeOf(charge, finding) });
};

const outcomeOf = ({ captureMethod }: ChargeRow, finding: Finding): PaymentOutcome | { kind: "not_submitted" } => {
  switch (finding.kind) {
    case "succeeded":
      // If capture is manual, the processor holds the amount and has not taken it.
      return { kind: captureMethod === "manual" ? "authorized" : "succeeded", processorRef: finding.processorRef };
    case "declined":
      return { kind: "declined", processorRef: finding.processorRef, declineCode, ...declineAdvice(declineCode) };
    case "nothing":
      return { kind: "not_submitted" };
  }
};
