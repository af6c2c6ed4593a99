import type { InvoiceRow } from "../../data/billing/invoices/invoices.ts";
import type { InvoiceLineRow } from "../../data/billing/invoices/lines.ts";
import { parseExact } from "../rules/exact/exact.ts";
import type { InvoiceDocument, InvoiceLine } from "./invoice.wire.ts";

/** A stored invoice without its lines, as lists show it. */
export const toSummaryDocument = (row: InvoiceRow): Omit<InvoiceDocument, "lines"> => ({
  ...row,
  period: { from: row.periodFrom, to: row.periodTo },
  plan: { id: row.planId, version: row.planVersion },
  discounts: row.discounts.map(({ coupon, amount }) => ({ coupon, amount: BigInt(amount) })),
  taxes: row.taxes.map(({ category, rate, base, amount }) => ({
    category,
    rate: parseExact(rate),
    base: BigInt(base),
    amount: BigInt(amount),
  })),
});

const toLine = (row: InvoiceLineRow): InvoiceLine => ({
  id: row.id,
  kind: row.kind,
  meter: row.meter,
  description: row.description,
  period: { from: row.periodFrom, to: row.periodTo },
  quantity: BigInt(row.quantity),
  exact: parseExact(row.exact),
  amount: row.amount,
  discount: row.discount,
  net: row.net,
  tax: { category: row.taxCategory, rate: parseExact(row.taxRate) },
  events:
    row.eventCount === null || row.eventSetHash === null || row.eventsAsOf === null
      ? null
      : { count: row.eventCount, setHash: row.eventSetHash, asOf: row.eventsAsOf },
});

export const toInvoiceDocument = (row: InvoiceRow, lines: readonly InvoiceLineRow[]): InvoiceDocument => ({
  ...toSummaryDocument(row),
  lines: lines.map(toLine),
});
