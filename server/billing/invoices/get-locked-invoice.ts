import { findInvoiceRow, type InvoiceRow, lockInvoiceRow } from "../../data/billing/invoices/invoices.ts";
import { lockSubscriptionRow } from "../../data/billing/subscriptions/subscriptions.ts";
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

/**
 * Locks its subscription first, as the billing run does. So the billing run doesn't finalise another invoice of the
 * subscription meanwhile. @throws DomainError not_found.
 */
export const getInvoiceLockedWithSubscription = async (sql: Sql, invoiceId: string): Promise<InvoiceRow> => {
  const subscriptionId = (await findInvoiceRow(sql, invoiceId))?.subscriptionId ?? null;
  if (subscriptionId !== null) await lockSubscriptionRow(sql, subscriptionId);
  return getLockedInvoice(sql, { invoiceId });
};
