import { type Sql, statement } from "../../client.ts";

/** The invoice or credit note for which a ledger transaction was posted. */
export type SourceInvoice = { transactionId: string; invoiceId: string; number: string | null };

const find = statement<SourceInvoice>(
  "find_ledger_source_invoices",
  `SELECT t.id AS "transactionId", i.id AS "invoiceId", i.number
     FROM billing_ledger_transaction t
     LEFT JOIN billing_payment p ON t.source_type = 'payment' AND p.id = t.source_id
     JOIN billing_invoice i ON i.id = coalesce(p.invoice_id, t.source_id)
    WHERE t.id = ANY ($1::text[])`,
);

/** Transactions of credits have no invoice. */
export const findSourceInvoices = (sql: Sql, transactionIds: readonly string[]): Promise<SourceInvoice[]> =>
  transactionIds.length === 0 ? Promise.resolve([]) : sql.query(find, [[...new Set(transactionIds)]]);
