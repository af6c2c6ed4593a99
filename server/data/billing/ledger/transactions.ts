import type { LedgerKind, LedgerSource, LedgerState, Posting } from "../../../billing/rules/ledger/accounts.ts";
import { type Sql, statement } from "../../client.ts";

export type NewLedgerTransaction = {
  id: string;
  merchantId: string;
  kind: LedgerKind;
  source: LedgerSource;
  state: "pending" | "posted";
  effectiveAt: Date;
  entries: readonly (Posting & { id: string })[];
};

// Writes the transaction, its entries and the balances in one statement. Balances are written in the order of the
// accounts, so that two statements for one merchant can't deadlock.
const insert = statement<{ id: string }>(
  "insert_ledger_transaction",
  `WITH written AS (
     INSERT INTO billing_ledger_transaction (id, merchant_id, kind, source_type, source_id, state, entry_count, effective_at, settled_at)
     VALUES ($1, $2, $3, $4, $5, $6, cardinality($8::text[]), $7::timestamptz, CASE $6 WHEN 'pending' THEN NULL ELSE $7::timestamptz END)
     RETURNING id
   ), entry AS (
     SELECT * FROM unnest($8::text[], $9::text[], $10::text[], $11::bigint[])
       WITH ORDINALITY AS e (id, account, currency, amount, position)
   ), entries AS (
     INSERT INTO billing_ledger_entry (id, transaction_id, merchant_id, account, currency, amount, effective_at)
     SELECT e.id, written.id, $2, e.account, e.currency, e.amount, $7::timestamptz FROM entry e, written ORDER BY e.position
   ), balances AS (
     INSERT INTO billing_ledger_balance AS b (merchant_id, account, currency, posted, pending)
     SELECT $2, e.account, e.currency, CASE $6 WHEN 'posted' THEN sum(e.amount) ELSE 0 END, CASE $6 WHEN 'pending' THEN sum(e.amount) ELSE 0 END
       FROM entry e GROUP BY e.account, e.currency ORDER BY e.currency, e.account
     ON CONFLICT (merchant_id, currency, account)
       DO UPDATE SET posted = b.posted + excluded.posted, pending = b.pending + excluded.pending
   ) SELECT id FROM written`,
);

/** @throws a unique violation if the source already has a transaction of this kind, in any state. */
export const insertLedgerTransaction = async (sql: Sql, transaction: NewLedgerTransaction): Promise<void> => {
  const { id, merchantId, kind, source, state, effectiveAt, entries } = transaction;
  await sql.query(insert, [
    id,
    merchantId,
    kind,
    source.type,
    source.id,
    state,
    effectiveAt,
    entries.map((entry) => entry.id),
    entries.map(({ account }) => account),
    entries.map(({ currency }) => currency),
    entries.map(({ amount }) => amount.toString()),
  ]);
};

const settle = statement<{ id: string }>(
  "settle_ledger_transaction",
  `WITH settled AS (
     UPDATE billing_ledger_transaction SET state = $4, settled_at = $5::timestamptz
      WHERE source_type = $1 AND source_id = $2 AND kind = $3 AND state = 'pending' RETURNING id, merchant_id
   ), sums AS (
     SELECT s.merchant_id, e.account, e.currency, sum(e.amount) AS amount FROM settled s
       JOIN billing_ledger_entry e ON e.transaction_id = s.id GROUP BY 1, 2, 3 ORDER BY e.currency, e.account
   ), balances AS (
     INSERT INTO billing_ledger_balance AS b (merchant_id, account, currency, posted, pending)
     SELECT merchant_id, account, currency, CASE $4 WHEN 'posted' THEN amount ELSE 0 END, -amount FROM sums
     ON CONFLICT (merchant_id, currency, account)
       DO UPDATE SET posted = b.posted + excluded.posted, pending = b.pending + excluded.pending
   ) SELECT id FROM settled`,
);

type Settlement = { kind: LedgerKind; source: LedgerSource; state: Exclude<LedgerState, "pending">; at: Date };

/** @returns false if no such transaction is pending. */
export const settleLedgerTransaction = async (sql: Sql, settlement: Settlement): Promise<boolean> => {
  const { kind, source, state, at } = settlement;
  return (await sql.query(settle, [source.type, source.id, kind, state, at])).length > 0;
};

const find = statement<Posting>(
  "find_ledger_postings",
  `SELECT e.account, e.currency, e.amount FROM billing_ledger_transaction t JOIN billing_ledger_entry e ON e.transaction_id = t.id
    WHERE t.source_type = $1 AND t.source_id = $2 AND t.kind = $3 ORDER BY e.sequence`,
);

/** The entries of the source's transaction of this kind, in any state; empty if there is none. */
export const findPostings = (sql: Sql, kind: LedgerKind, source: LedgerSource): Promise<Posting[]> =>
  sql.query(find, [source.type, source.id, kind]);
