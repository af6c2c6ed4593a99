import { acceptsTestCards } from "../../../../accounts/payment-methods/add-test-card.ts";
import { billingTestCards } from "../../../../accounts/payment-methods/test-cards.ts";
import { acceptsInvoiceCards } from "../../../../billing/collection/cards/begin-invoice-card.ts";
import type { findBillingPaymentMethod } from "../../../../billing/collection/find-billing-payment-method.ts";
import type { InvoiceCollection } from "../../../../billing/collection/find-invoice-collection.ts";
import type { UnpaidInvoice } from "../../../../billing/collection/review/list-unpaid-invoices.ts";
import type { BillingPaymentRow } from "../../../../data/billing/collection/payments.ts";
import type { Deps } from "../../../../deps/deps.ts";

type ShownState = "processing" | "unknown" | "paid" | "declined" | "not_submitted";

/** A pending payment is shown as processing, or as unknown if a look-up found no outcome. */
const stateOf = ({ state, lookups, processorRef }: BillingPaymentRow): ShownState => {
  if (state === "pending") return lookups > 0 && processorRef === null ? "unknown" : "processing";
  return state === "succeeded" ? "paid" : state;
};

const toAttempt = (payment: BillingPaymentRow) => ({
  id: payment.id,
  state: stateOf(payment),
  amountMinor: Number(payment.amount),
  currency: payment.currency,
  method: payment.paymentMethodLabel,
  createdAt: payment.createdAt.toISOString(),
  declineCode: payment.declineCode,
  isRetryable: payment.isRetryable,
});

const acceptsCardsForInvoices = (deps: Pick<Deps, "config">): boolean =>
  acceptsTestCards(deps) || acceptsInvoiceCards(deps);

export const toInvoiceCollectionView = (
  deps: Pick<Deps, "config">,
  { payments, collection, method, hold, isPayable }: InvoiceCollection,
) => ({
  attempts: payments.map(toAttempt),
  nextAttemptAt: collection?.attemptAt?.toISOString() ?? null,
  method: method?.label ?? null,
  /** the merchant can set a payment method, and has set none */
  lacksMethod: hold === "no_payment_method" && acceptsCardsForInvoices(deps),
  isPayable,
});

export const toUnpaidInvoice = (invoice: UnpaidInvoice) => ({
  id: invoice.invoiceId,
  number: invoice.number,
  amountDueMinor: Number(invoice.amountDue),
  currency: invoice.currency,
  dueAt: invoice.invoiceDueAt.toISOString(),
  isOverdue: invoice.overdueAt !== null,
  /** null: new charges are refused already */
  suspensionAt: invoice.suspendedAt === null ? invoice.suspensionAt.toISOString() : null,
});

export const toPaymentMethodView = (
  deps: Pick<Deps, "config">,
  { set, used, hold }: Awaited<ReturnType<typeof findBillingPaymentMethod>>,
) => ({
  label: used?.label ?? set?.label ?? null,
  /** the sandbox's test card is used, because the merchant has set no card */
  isDefault: set === null && used !== null,
  hold,
  cards: acceptsTestCards(deps) ? [...billingTestCards] : [],
  /** the merchant can enter a card at the processor */
  isCardAccepted: acceptsInvoiceCards(deps),
});

export type MerchantInvoiceCollection = ReturnType<typeof toInvoiceCollectionView>;
export type MerchantUnpaidInvoice = ReturnType<typeof toUnpaidInvoice>;
export type MerchantPaymentMethod = ReturnType<typeof toPaymentMethodView>;
