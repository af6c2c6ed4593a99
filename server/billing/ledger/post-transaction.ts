import { insertLedgerTransaction } from "../../data/billing/ledger/transactions.ts";
import type { Sql } from "../../data/client.ts";
import { newId } from "../../kernel/ids.ts";
import type { LedgerKind, LedgerSource, Posting } from "../rules/ledger/accounts.ts";

type Input = {
  merchantId: string;
  kind: LedgerKind;
  source: LedgerSource;
  postings: readonly Posting[];
  /** `pending` until the outcome of a payment is known */
  state?: "pending" | "posted";
  at: Date;
};

/**
 * Posts one transaction in the caller's database transaction. Writes nothing if all amounts are zero. The database
 * refuses a transaction that doesn't sum to zero in each currency, and a second transaction with the same kind and
 * source (docs/spec/billing.md, Ledger).
 */
export const postTransaction = async (sql: Sql, input: Input): Promise<void> => {
  const { merchantId, kind, source, state = "posted", at } = input;
  const entries = input.postings
    .filter(({ amount }) => amount !== 0n)
    .map((posting) => ({ ...posting, id: newId("lent") }));
  if (entries.length === 0) return;
  await insertLedgerTransaction(sql, { id: newId("ltx"), merchantId, kind, source, state, effectiveAt: at, entries });
};
