import { appendAudit } from "../../../data/audit/audit.ts";
import type { Sql } from "../../../data/client.ts";
import type { Deps } from "../../../deps/deps.ts";
import { lookUpInvoicePayment } from "../look-up-invoice-payment.ts";
import type { PaymentResult } from "../settle-payment.ts";
import { getUnresolvedPayment, type PaymentReview } from "./unresolved-payment.ts";

/**
 * Asks the processor again. If it reports the outcome, settles the attempt, with the audit entry in one transaction.
 * Otherwise, the attempt stays unresolved: the next look-up is scheduled, and the search is audited.
 * @throws DomainError not_found; conflict payment_not_under_review.
 */
export const searchUnresolvedPayment = async (deps: Deps, review: PaymentReview): Promise<PaymentResult> => {
  const payment = await getUnresolvedPayment(deps, review.paymentId);
  const { reason, requestId } = review;
  const actor = { kind: "operator", id: review.operatorId } as const;
  const record = (sql: Sql, at: Date, found: PaymentResult["outcome"]): Promise<void> => {
    const data = { invoice_id: payment.invoiceId, found, reason };
    const action = "billing_payment.searched";
    return appendAudit(sql, { at, actor, requestId, action, subjectId: payment.id, data });
  };
  let isRecorded = false;
  const result = await lookUpInvoicePayment(deps, {
    payment,
    actor,
    requestId,
    async also(sql, at, outcome) {
      isRecorded = true;
      await record(sql, at, outcome);
    },
  });
  if (!isRecorded) await record(deps.db.sql, await deps.businessClock.now(), result.outcome);
  return result;
};
