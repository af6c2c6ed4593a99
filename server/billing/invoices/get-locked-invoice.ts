import { type InvoiceRow, lockInvoiceRow } from "../../data/billing/invoices/invoices.ts";
import type { Sql } from "../../data/client.ts";
import { DomainError } from "../../kernel/errors.ts";

export const invoiceNotFound = (): DomainError =>
  new DomainError("not_found", { code: "not_found", message: "Invoice not found. Check the id." });

/** @param merchantId another merchant's invoice is not found either. @throws DomainError not_found. */
export const getLockedInvoice = async (
  sql: Sql,
  { invoiceId, merchantId }: { invoiceId: string; merchantId?: string },
): Promise<InvoiceRow> => {
  const row = await lockInvoiceRow(sql, invoiceId);
  if (!row || (merchantId !== undefined && row.merchantId !== merchantId)) throw invoiceNotFound();
  return row;
};
