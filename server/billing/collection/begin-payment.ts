import {
  type CollectionHold,
  type CollectionRow,
  lockCollection,
  updateCollection,
} from "../../data/billing/collection/collections.ts";
import {
  type BillingPaymentRow,
  findUnresolvedPayment,
  insertBillingPayment,
} from "../../data/billing/collection/payments.ts";
import type { InvoiceRow } from "../../data/billing/invoices/invoices.ts";
import type { Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { newId } from "../../kernel/ids.ts";
import { getLockedInvoice } from "../invoices/get-locked-invoice.ts";
import { refuseOtherStatus } from "../invoices/transitions/refuse-other-status.ts";
import { postTransaction } from "../ledger/post-transaction.ts";
import { nextDunningStep } from "../rules/collection/dunning.ts";
import { paymentPostings } from "../rules/ledger/postings.ts";
import { choosePaymentMethod, type PayableMethod } from "./choose-payment-method.ts";

export type NotBegun =
  /** the outcome of another attempt isn't known yet */
  | { outcome: "unresolved"; paymentId: string }
  | { outcome: "held"; hold: CollectionHold }
  | { outcome: "not_scheduled" };

type Input = { invoiceId: string; merchantId?: string; isScheduled?: boolean };

/**
 * Writes an attempt with its pending ledger transaction. Because of the invoice's row lock, attempts start one after
 * another. A unique index refuses a second unresolved attempt.
 */
export const beginPayment = async (
  deps: Deps,
  input: Input,
): Promise<NotBegun | { outcome: "begun"; payment: BillingPaymentRow }> => {
  const at = await deps.businessClock.now();
  return deps.db.sqlTransaction(async (sql) => {
    const invoice = await getLockedInvoice(sql, input);
    const collection = await lockCollection(sql, invoice.id);
    const unresolved = await findUnresolvedPayment(sql, invoice.id);
    if (unresolved) return { outcome: "unresolved", paymentId: unresolved.id };
    const isDue = invoice.status === "open" && collection?.attemptAt && collection.attemptAt <= at;
    if (input.isScheduled && !isDue) return { outcome: "not_scheduled" };
    refuseOtherStatus(invoice, "open", "uncollectible");
    const chosen = await choosePaymentMethod(deps, sql, { merchantId: invoice.merchantId, due: invoice });
    if (typeof chosen === "string") {
      if (collection) await hold(sql, { invoice, collection, reason: chosen });
      return { outcome: "held", hold: chosen };
    }
    const payment = toPayment(deps, { invoice, method: chosen, at });
    await insertBillingPayment(sql, payment);
    await postTransaction(sql, {
      merchantId: invoice.merchantId,
      kind: "payment",
      source: { type: "payment", id: payment.id },
      postings: paymentPostings(payment.currency, payment.amount),
      state: "pending",
      at,
    });
    return { outcome: "begun", payment };
  });
};

/** The invoice stays open without attempts until the merchant sets a payment method. The due date still applies. */
const hold = async (
  sql: Sql,
  { invoice, collection, reason }: { invoice: InvoiceRow; collection: CollectionRow; reason: CollectionHold },
): Promise<void> => {
  const held = { ...collection, attemptAt: null, hold: reason };
  const next = invoice.dueAt && nextDunningStep({ ...held, invoiceDueAt: invoice.dueAt });
  await updateCollection(sql, { ...held, dueAt: next?.at ?? null });
};

const toPayment = (
  { clock }: Pick<Deps, "clock">,
  { invoice, method, at }: { invoice: InvoiceRow; method: PayableMethod; at: Date },
): BillingPaymentRow => ({
  id: newId("bpay"),
  invoiceId: invoice.id,
  merchantId: invoice.merchantId,
  amount: invoice.amountDue,
  currency: invoice.currency,
  processor: method.processor,
  processorAccount: method.account,
  paymentMethodRef: method.processorRef,
  paymentMethodLabel: method.label,
  state: "pending",
  processorRef: null,
  declineCode: null,
  isRetryable: null,
  createdAt: at,
  settledAt: null,
  startedAt: clock.now(),
  lookups: 0,
  notFoundAt: null,
});
