import { updateInvoiceStatus } from "../../../data/billing/invoices/write-invoice.ts";
import { settleLedgerTransaction } from "../../../data/billing/ledger/transactions.ts";
import type { Sql } from "../../../data/client.ts";
import { smaller } from "../../../kernel/money/smaller.ts";
import { grantCreditBalance } from "../../credits/grant-credit-balance.ts";
import { postTransaction } from "../../ledger/post-transaction.ts";
import { overpaymentPostings, reversedPostings, uncollectiblePostings } from "../../rules/ledger/postings.ts";
import { getLockedInvoice } from "../get-locked-invoice.ts";
import { type InvoiceActor, recordInvoice } from "../record-invoice.ts";

type Input = InvoiceActor & { invoiceId: string; paymentId: string; amountMinor: bigint; at: Date };

/**
 * Settles an invoice with a payment. The payment's pending ledger transaction (`paymentPostings`) is posted, and the
 * invoice is paid if no amount remains due. An excess over the amount due becomes credit balance. A payment is settled
 * only once. Runs in the transaction that records the payment's outcome.
 * @returns false if the payment isn't pending.
 */
export const applyPayment = async (sql: Sql, payment: Input): Promise<boolean> => {
  const { invoiceId, paymentId, amountMinor, at, actor, requestId } = payment;
  const invoice = await getLockedInvoice(sql, { invoiceId });
  const { merchantId, currency, amountDue, amountCredited, status } = invoice;
  const source = { type: "payment", id: paymentId } as const;
  if (!(await settleLedgerTransaction(sql, { kind: "payment", source, state: "posted", at }))) return false;
  const paid = smaller(amountMinor, amountDue);
  const isRecovered = status === "uncollectible";
  if (isRecovered) {
    const postings = reversedPostings(uncollectiblePostings(currency, paid));
    await postTransaction(sql, { merchantId, kind: "invoice.recovered", source, postings, at });
  }
  const excess = amountMinor - paid;
  if (excess > 0n) {
    await grantCreditBalance(sql, { merchantId, currency, amount: excess, source, at });
    await postTransaction(sql, {
      merchantId,
      kind: "overpayment",
      source,
      postings: overpaymentPostings(currency, excess),
      at,
    });
  }
  if (paid === 0n) return true;
  const left = amountDue - paid;
  const next = left === 0n ? "paid" : status;
  const amountPaid = invoice.amountPaid + paid;
  await updateInvoiceStatus(sql, invoiceId, { status: next, amountDue: left, amountPaid, amountCredited, at });
  const events = next === "paid" ? (["invoice.paid"] as const) : [];
  const action = next === "paid" ? "invoice.paid" : "invoice.partly_paid";
  const data = { payment_id: paymentId, amount: String(paid) };
  await recordInvoice(sql, { invoiceId, events, action, data, actor, requestId, at });
  return true;
};
