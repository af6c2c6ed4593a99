import type { InvoiceDocument, InvoiceLine } from "../../../billing/invoices/invoice.wire.ts";
import { formatExact } from "../../../billing/rules/exact/exact.ts";
import type { ComputedInvoice } from "../../../billing/rules/invoice/types.ts";
import type { RelatedInvoice } from "../../../data/billing/invoices/invoices.ts";
import type { LineEvent } from "../../../data/billing/meters/line-events.ts";

type Summary = Omit<InvoiceDocument, "lines">;

/** Plain JSON for the pages, with amounts in minor units and times as RFC 3339 texts. */
export const toListedInvoice = (invoice: Summary) => ({
  id: invoice.id,
  number: invoice.number,
  type: invoice.type,
  status: invoice.status,
  currency: invoice.currency,
  from: invoice.period.from.toISOString(),
  to: invoice.period.to.toISOString(),
  totalMinor: Number(invoice.total),
  amountDueMinor: Number(invoice.amountDue),
});

/** The quantity is a text, because a merchant's own meter can exceed the range of JSON numbers. */
const toInvoiceLine = (line: InvoiceLine) => ({
  id: line.id,
  description: line.description,
  from: line.period.from.toISOString(),
  to: line.period.to.toISOString(),
  quantity: line.quantity.toString(),
  exact: formatExact(line.exact),
  amountMinor: Number(line.amount),
  discountMinor: Number(line.discount),
  eventCount: line.events ? Number(line.events.count) : null,
});

const toRelatedInvoice = ({ id, number, status, issuedAt, total }: RelatedInvoice) => ({
  id,
  number,
  status,
  issuedAt: issuedAt?.toISOString() ?? null,
  totalMinor: Number(total),
});

type Beside = {
  planName: string;
  amountCredited: bigint;
  toCreditBalance: bigint;
  related: readonly RelatedInvoice[];
  /** a sentence that says why the invoice has no UBL document; null if it has one, and for a draft */
  ublProblem: string | null;
};

/** The steps from the sum of the lines to the total. */
export const toSums = ({ discounts, taxes, subtotal }: Pick<ComputedInvoice, "discounts" | "taxes" | "subtotal">) => ({
  discounts: discounts.map(({ coupon, amount }) => ({ coupon, amountMinor: Number(amount) })),
  taxes: taxes.map(({ category, rate, base, amount }) => ({
    category,
    rate: formatExact(rate),
    baseMinor: Number(base),
    amountMinor: Number(amount),
  })),
  subtotalMinor: Number(subtotal),
});

export const toInvoiceDetail = (
  invoice: InvoiceDocument,
  { planName, amountCredited, toCreditBalance, related, ublProblem }: Beside,
) => ({
  ...toListedInvoice(invoice),
  related: related.map(toRelatedInvoice),
  ublProblem,
  plan: { ...invoice.plan, name: planName },
  issuedAt: invoice.issuedAt?.toISOString() ?? null,
  dueAt: invoice.dueAt?.toISOString() ?? null,
  lines: invoice.lines.map(toInvoiceLine),
  ...toSums(invoice),
  // What an invoice with a negative total adds to the credit balance. Always 0 for a credit note, although a part of
  // its total can also become credit balance.
  toCreditBalanceMinor: invoice.type === "invoice" ? Number(toCreditBalance) : 0,
  creditAppliedMinor: Number(invoice.creditApplied),
  prepaidAppliedMinor: Number(invoice.prepaidApplied),
  amountCreditedMinor: Number(amountCredited),
  amountPaidMinor: Number(invoice.amountPaid),
});

export const toLineEvent = ({ id, time, quantity, amount, currency, subject }: LineEvent) => ({
  id,
  time: time.toISOString(),
  quantity: quantity.toString(),
  amountMinor: amount === null ? null : Number(amount),
  currency,
  subject,
});

export type MerchantListedInvoice = ReturnType<typeof toListedInvoice>;
export type MerchantInvoice = ReturnType<typeof toInvoiceDetail>;
export type MerchantLineEvent = ReturnType<typeof toLineEvent>;
