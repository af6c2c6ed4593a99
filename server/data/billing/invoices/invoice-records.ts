import type { LedgerAccount, LedgerState } from "../../../billing/rules/ledger/accounts.ts";
import { type Sql, statement } from "../../client.ts";
import type { InvoiceRow } from "./invoices.ts";

export type NoteRecord = Pick<InvoiceRow, "id" | "number" | "reason" | "total" | "toCreditBalance"> & {
  issuedAt: Date;
};

const notes = statement<NoteRecord>(
  "list_credit_notes_of_invoice",
  `SELECT i.id, i.number, i.reason, i.total, i.to_credit_balance AS "toCreditBalance", i.issued_at AS "issuedAt"
     FROM billing_invoice i WHERE i.corrects = $1 ORDER BY i.issued_at DESC, i.id DESC LIMIT $2::int`,
);

/** Newest first. */
export const listNotesOf = (sql: Sql, invoiceId: string, limit: number): Promise<NoteRecord[]> =>
  sql.query(notes, [invoiceId, limit]);

export type PostingRecord = {
  transactionId: string;
  kind: string;
  state: LedgerState;
  effectiveAt: Date;
  account: LedgerAccount;
  currency: string;
  /** debits are positive */
  amount: bigint;
};

const postings = statement<PostingRecord>(
  "list_postings_of_sources",
  `SELECT t.id AS "transactionId", t.kind, t.state, t.effective_at AS "effectiveAt", e.account, e.currency, e.amount
     FROM billing_ledger_transaction t JOIN billing_ledger_entry e ON e.transaction_id = t.id
    WHERE t.source_id = ANY ($1::text[]) AND t.source_type IN ('invoice', 'credit_note', 'payment')
    ORDER BY t.effective_at, t.id, e.amount < 0, e.account`,
);

/** The entries of these invoices, credit notes and payments, oldest transaction first, debits before credits. */
export const listPostingsOf = (sql: Sql, sourceIds: readonly string[]): Promise<PostingRecord[]> =>
  sql.query(postings, [sourceIds]);
