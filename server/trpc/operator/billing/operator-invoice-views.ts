import type { InvoiceForOperator } from "../../../billing/invoices/read/get-invoice-for-operator.ts";
import type { TaxCase } from "../../../billing/invoices/read/list-tax-decisions.ts";
import type { CreditNoteOfLines } from "../../../billing/invoices/transitions/compute-note.ts";
import type { FoundInvoice } from "../../../data/billing/invoices/invoice-search.ts";
import { toInvoiceDetail } from "../../merchant/billing/billing-views.ts";
import { toAuditEntry } from "../operator-views.ts";

/** Plain JSON for the operator pages, with amounts in minor units and times as RFC 3339 texts. */
export const toFoundInvoice = (invoice: FoundInvoice) => ({
  id: invoice.id,
  number: invoice.number,
  type: invoice.type,
  status: invoice.status,
  currency: invoice.currency,
  merchant: { id: invoice.merchantId, name: invoice.merchantName },
  from: invoice.periodFrom.toISOString(),
  to: invoice.periodTo.toISOString(),
  listedAt: invoice.listedAt.toISOString(),
  totalMinor: Number(invoice.total),
  amountDueMinor: Number(invoice.amountDue),
});

export const toTaxCase = (one: TaxCase) => ({
  ...toFoundInvoice(one),
  awaitedSince: one.awaitedSince.toISOString(),
  decideFrom: one.decideFrom.toISOString(),
  isDue: one.isDue,
});

export const toInvoiceForOperator = ({ row, document, credited, ...found }: InvoiceForOperator) => {
  const { planName } = found;
  const { amountCredited, toCreditBalance } = row;
  const beside = { planName, amountCredited, toCreditBalance, related: [], ublProblem: null };
  const { lines, related: _, ublProblem: _ubl, ...invoice } = toInvoiceDetail(document, beside);
  return {
    ...invoice,
    merchant: { id: row.merchantId, name: found.merchantName },
    corrects: row.corrects,
    createdAt: row.createdAt.toISOString(),
    reason: row.reason,
    taxBehaviour: row.taxBehaviour,
    discountMinor: Number(row.discount),
    amountCreditedMinor: Number(row.amountCredited),
    toCreditBalanceMinor: Number(row.toCreditBalance),
    decideFrom: found.decideFrom?.toISOString() ?? null,
    isDecisionDue: found.isDecisionDue,
    lines: lines.map((line) => ({ ...line, creditedMinor: Number(credited.get(line.id) ?? 0n) })),
    payments: found.payments.map(toPayment),
    notes: found.notes.map((note) => ({
      id: note.id,
      number: note.number,
      reason: note.reason,
      totalMinor: Number(note.total),
      issuedAt: note.issuedAt.toISOString(),
    })),
    transactions: toTransactions(found.postings),
    timeline: found.timeline.map(toAuditEntry),
    isTimelineCut: found.isTimelineCut,
  };
};

const toPayment = (payment: InvoiceForOperator["payments"][number]) => ({
  id: payment.id,
  amountMinor: Number(payment.amount),
  state: payment.state,
  method: payment.paymentMethodLabel,
  processor: payment.processor,
  processorRef: payment.processorRef,
  declineCode: payment.declineCode,
  createdAt: payment.createdAt.toISOString(),
  lookups: payment.lookups,
  isUnderReview: payment.isUnderReview,
});

/** Each transaction with its entries. Debits are positive. */
const toTransactions = (postings: InvoiceForOperator["postings"]) =>
  [...Map.groupBy(postings, ({ transactionId }) => transactionId).entries()].map(([id, entries]) => ({
    id,
    kind: entries[0]?.kind ?? "",
    state: entries[0]?.state ?? ("posted" as const),
    at: entries[0]?.effectiveAt.toISOString() ?? "",
    entries: entries.map(({ account, currency, amount }) => ({ account, currency, amountMinor: Number(amount) })),
  }));

export const toCreditPreview = (note: CreditNoteOfLines) => ({
  lines: note.lines.map(({ row, credit }) => ({
    id: row.id,
    description: row.description,
    amountMinor: Number(credit),
  })),
  discountMinor: Number(note.discount),
  taxMinor: Number(note.tax),
  totalMinor: Number(note.total),
  settledMinor: Number(note.settled),
  toCreditsMinor: Number(note.returned.reduce((sum, { amount }) => sum + amount, 0n)),
  toCreditBalanceMinor: Number(note.toCreditBalance),
});

export type OperatorFoundInvoice = ReturnType<typeof toFoundInvoice>;
export type OperatorTaxCase = ReturnType<typeof toTaxCase>;
export type OperatorInvoice = ReturnType<typeof toInvoiceForOperator>;
export type OperatorCreditPreview = ReturnType<typeof toCreditPreview>;
