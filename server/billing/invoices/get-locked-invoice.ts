import { findInvoiceRow, type InvoiceRow, lockInvoiceRow } from "../../data/billing/invoices/invoices.ts";
import { lockInvoicingOf } from "../../data/billing/invoices/write-invoice.ts";
import { lockSubscriptionRow } from "../../data/billing/subscriptions/subscriptions.ts";
import type { Sql } from "../../data/client.ts";
import { DomainError } from "../../kernel/errors.ts";

export const invoiceNotFound = (): DomainError =>
  new DomainError("not_found", { code: "not_found", message: "Invoice not found. Check the ID." });

/** @param merchantId if set, another merchant's invoice is not found. @throws DomainError not_found. */
export const getLockedInvoice = async (
  sql: Sql,
  { invoiceId, merchantId }: { invoiceId: string; merchantId?: string },
): Promise<InvoiceRow> => {
  const row = await lockInvoiceRow(sql, invoiceId);
  if (!row || (merchantId !== undefined && row.merchantId !== merchantId)) throw invoiceNotFound();
  return row;
};

/**
 * Locks the invoice's subscription and the merchant's invoicing first, as the billing run does, so that the billing run
 * can't finalize another invoice at the same time. @throws DomainError not_found.
 */
export const getInvoiceLockedWithSubscription = async (sql: Sql, invoiceId: string): Promise<InvoiceRow> => {
  const found = await findInvoiceRow(sql, invoiceId);
  if (!found) throw invoiceNotFound();
  if (found.subscriptionId !== null) await lockSubscriptionRow(sql, found.subscriptionId);
  await lockInvoicingOf(sql, found.merchantId);
  return getLockedInvoice(sql, { invoiceId });
};
