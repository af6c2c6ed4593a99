import { appendAudit } from "../../../data/audit/audit.ts";
import type { Deps } from "../../../deps/deps.ts";
import type { LookupOutcome } from "../../../deps/processor-port.ts";
import { declineAdvice } from "../../../processors/declines.ts";
import { type PaymentResult, settlePayment } from "../settle-payment.ts";
import { getUnresolvedPayment, notUnderReviewError, type PaymentReview } from "./unresolved-payment.ts";

/**
 * What the operator found at the processor: a payment with its id, or no payment. `nothing` also means that no payment
 * can arrive later; another attempt follows.
 */
export type PaymentFinding = { kind: "succeeded" | "declined"; processorRef: string } | { kind: "nothing" };

/** Used if the payment's own decline code is unknown. */
const declineCode = "generic_decline";

/**
 * Settles an attempt with the operator's evidence, if look-ups couldn't determine the outcome. The audit entry is
 * written in the same transaction. If a look-up or another operator settles the attempt first, this call is refused
 * (docs/spec/billing.md, Operator pages).
 * @throws DomainError not_found; conflict payment_not_under_review.
 */
export const settleUnresolvedPayment = async (
  deps: Deps,
  { finding, ...review }: PaymentReview & { finding: PaymentFinding },
): Promise<PaymentResult> => {
  const payment = await getUnresolvedPayment(deps, review.paymentId);
  const actor = { kind: "operator", id: review.operatorId } as const;
  const { reason, requestId } = review;
  const evidence = finding.kind === "nothing" ? {} : { processor_ref: finding.processorRef };
  const data = { invoice_id: payment.invoiceId, found: finding.kind, ...evidence, reason };
  let isOurs = false;
  const result = await settlePayment(deps, {
    payment,
    found: outcomeOf(finding),
    actor,
    requestId,
    also: async (sql, at) => {
      isOurs = true;
      await appendAudit(sql, { at, actor, requestId, action: "billing_payment.settled", subjectId: payment.id, data });
    },
  });
  if (!isOurs) throw notUnderReviewError();
  return result;
};

const outcomeOf = (finding: PaymentFinding): LookupOutcome => {
  switch (finding.kind) {
    case "succeeded":
      return { kind: "succeeded", processorRef: finding.processorRef };
    case "declined":
      return { kind: "declined", processorRef: finding.processorRef, declineCode, ...declineAdvice(declineCode) };
    case "nothing":
      return { kind: "not_sent" };
  }
};
