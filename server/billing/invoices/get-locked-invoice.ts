import { findInvoiceRow, type InvoiceRow, lockInvoiceRow } from "../../data/billing/invoices/invoices.ts";
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
 * Locks the invoice's subscription first, as the billing run does, so that the billing run can't finalise another
 * invoice of the subscription at the same time. @throws DomainError not_found.
 */
export const getInvoiceLockedWithSubscription = async (sql: Sql, invoiceId: string): Promise<InvoiceRow> => {
  const subscriptionId = (await findInvoiceRow(sql, invoiceId))?.subscriptionId ?? null;
  if (subscriptionId !== null) await lockSubscriptionRow(sql, subscriptionId);
  return getLockedInvoice(sql, { invoiceId });
};
