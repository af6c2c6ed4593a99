import { findInvoiceRow, type InvoiceRow } from "../../../data/billing/invoices/invoices.ts";
import { findInvoiceLineRows, type InvoiceLineRow } from "../../../data/billing/invoices/lines.ts";
import type { Deps } from "../../../deps/deps.ts";
import { invoiceNotFound } from "../get-locked-invoice.ts";
import type { InvoiceDocument } from "../invoice.wire.ts";
import { toInvoiceDocument } from "../to-document.ts";

type Found = { row: InvoiceRow; lines: InvoiceLineRow[]; document: InvoiceDocument };

/** @throws DomainError not_found, also for another merchant's invoice. */
export const getInvoice = async (
  { db: { sql } }: Pick<Deps, "db">,
  { merchantId, invoiceId }: { merchantId: string; invoiceId: string },
): Promise<Found> => {
  const row = await findInvoiceRow(sql, invoiceId);
  if (row?.merchantId !== merchantId) throw invoiceNotFound();
  const lines = await findInvoiceLineRows(sql, invoiceId);
  return { row, lines, document: toInvoiceDocument(row, lines) };
};
