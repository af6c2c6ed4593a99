import { appendAudit } from "../../../data/audit/audit.ts";
import type { Deps } from "../../../deps/deps.ts";
import { lookUpInvoicePayment } from "../look-up-invoice-payment.ts";
import type { PaymentResult } from "../settle-payment.ts";
import { getUnresolvedPayment, type PaymentReview } from "./unresolved-payment.ts";

/**
 * Asks the processor again, and settles the attempt if it knows the outcome. Without an answer, nothing changes except
 * the time of the next look-up.
 * @throws DomainError not_found; conflict payment_not_under_review.
 */
export const searchUnresolvedPayment = async (deps: Deps, review: PaymentReview): Promise<PaymentResult> => {
  const payment = await getUnresolvedPayment(deps, review.paymentId);
  const { reason, requestId } = review;
  const actor = { kind: "operator", id: review.operatorId } as const;
  const result = await lookUpInvoicePayment(deps, { payment, actor, requestId });
  await appendAudit(deps.db.sql, {
    at: await deps.businessClock.now(),
    actor,
    requestId,
    action: "billing_payment.searched",
    subjectId: payment.id,
    data: { invoice_id: payment.invoiceId, found: result.outcome, reason },
  });
  return result;
};
