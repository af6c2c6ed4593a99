import type { InvoiceRow } from "../../../data/billing/invoices/invoices.ts";
import { updateInvoiceStatus } from "../../../data/billing/invoices/write-invoice.ts";
import type { Sql } from "../../../data/client.ts";
import type { Deps } from "../../../deps/deps.ts";
import { getInvoiceLockedWithSubscription } from "../get-locked-invoice.ts";
import { refuseOtherStatus } from "./refuse-other-status.ts";

type Ending = {
  invoiceId: string;
  status: "void" | "uncollectible";
  /** writes the ledger and audit entries in the transaction; returns the remaining amount due */
  end(sql: Sql, invoice: InvoiceRow, at: Date): Promise<bigint>;
};

/**
 * Closes an open invoice without a payment, in one transaction that locks the invoice and its subscription. A repeated
 * call changes nothing.
 * @throws DomainError not_found; conflict invoice_not_final or invoice_not_open; errors of `end`.
 */
export const endOpenInvoice = async (
  { db, businessClock }: Pick<Deps, "db" | "businessClock">,
  { invoiceId, status, end }: Ending,
): Promise<{ isNew: boolean }> => {
  const at = await businessClock.now();
  return db.sqlTransaction(async (sql) => {
    const invoice = await getInvoiceLockedWithSubscription(sql, invoiceId);
    if (invoice.status === status) return { isNew: false };
    refuseOtherStatus(invoice, "open");
    const amountDue = await end(sql, invoice, at);
    const { amountPaid, amountCredited } = invoice;
    await updateInvoiceStatus(sql, invoiceId, { status, amountDue, amountPaid, amountCredited, at });
    return { isNew: true };
  });
};
