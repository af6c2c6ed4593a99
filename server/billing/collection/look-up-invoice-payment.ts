import { afterNotFound, isNotSubmitted } from "../../charges/reconcile/lookup-schedule.ts";
import { postponeCollection } from "../../data/billing/collection/collections.ts";
import { type BillingPaymentRow, recordPaymentLookup } from "../../data/billing/collection/payments.ts";
import type { Deps } from "../../deps/deps.ts";
import type { InvoiceActor } from "../invoices/record-invoice.ts";
import { getOwnAccount } from "./get-own-account.ts";
import { type Also, type PaymentResult, settlePayment } from "./settle-payment.ts";

/**
 * Asks the processor for the outcome of an unresolved attempt, by the attempt's key. The payment is never sent again.
 * Once the payment request can no longer reach the processor, two `not_found` responses show that it never arrived.
 */
export const lookUpInvoicePayment = async (
  deps: Deps,
  { payment, ...by }: InvoiceActor & Also & { payment: BillingPaymentRow },
): Promise<PaymentResult> => {
  const { id, processor, processorRef: reference, paymentMethodRef, amount: amountMinor, currency } = payment;
  const request = { key: id, reference, paymentMethodRef, amountMinor, currency };
  const found = await getOwnAccount(deps, processor).lookup(request);
  if (found.kind !== "not_found") {
    // If the look-up couldn't be sent, nothing is known about the payment.
    const answer = found.kind === "not_sent" ? ({ kind: "unknown" } as const) : found;
    return settlePayment(deps, { payment, found: answer, ...by });
  }
  const now = deps.clock.now();
  const sent = { submittedAt: payment.startedAt, notFoundAt: payment.notFoundAt, lookups: payment.lookups };
  if (isNotSubmitted(sent, now)) return settlePayment(deps, { payment, found: { kind: "not_sent" }, ...by });
  const { notFoundAt, nextLookupAt: retryAt } = afterNotFound(sent, now);
  await deps.db.sqlTransaction(async (sql) => {
    await recordPaymentLookup(sql, id, { notFoundAt, processorRef: null });
    await postponeCollection(sql, { invoiceId: payment.invoiceId, retryAt });
  });
  return { outcome: "unknown", paymentId: id };
};
