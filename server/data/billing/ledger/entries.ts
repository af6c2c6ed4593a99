import type { LedgerAccount, LedgerState } from "../../../billing/rules/ledger/accounts.ts";
import type { Page, Place } from "../../../kernel/pagination.ts";
import { type Sql, statement } from "../../client.ts";
import { createdFilters, equalFilter, findList } from "../../find-list.ts";

export type LedgerEntryRow = {
  id: string;
  /** the order of posting, within one instant */
  sequence: bigint;
  transactionId: string;
  account: LedgerAccount;
  /** debits are positive */
  amount: bigint;
  currency: string;
  state: LedgerState;
  effectiveAt: Date;
  sourceType: string;
  sourceId: string;
};

// The source id of an expiry is the credit's id, a space and the number of the use. Only the credit's id is returned.
const select = `SELECT e.id, e.sequence, e.transaction_id AS "transactionId", e.account, e.amount, e.currency, t.state, e.effective_at AS "effectiveAt",
    t.source_type AS "sourceType", split_part(t.source_id, ' ', 1) AS "sourceId"
  FROM billing_ledger_entry e JOIN billing_ledger_transaction t ON t.id = e.transaction_id`;

export type LedgerFilter = { account: string | null; currency: string | null; from: Date | null; to: Date | null };

/** The position of an entry in the ledger: its instant, then its sequence as text. */
export const placeOfEntry = ({ effectiveAt, sequence }: Pick<LedgerEntryRow, "effectiveAt" | "sequence">): Place => ({
  at: effectiveAt,
  id: String(sequence),
});

/** Newest first: of the entries of one instant, the one that was posted last comes first. */
export const findLedgerEntries = (
  sql: Sql,
  merchantId: string,
  { account, currency, from, to, page }: LedgerFilter & { page: Page },
): Promise<LedgerEntryRow[]> =>
  findList(sql, {
    name: "ledger_entries",
    select,
    order: ["e.effective_at", "e.sequence"],
    idType: "bigint",
    filters: [
      ...equalFilter("merchant", "e.merchant_id", merchantId),
      ...equalFilter("account", "e.account", account),
      ...equalFilter("currency", "e.currency", currency),
      ...createdFilters("e.effective_at", { createdFrom: from, createdTo: to }),
    ],
    page,
  });

const findPlace = statement<Place>(
  "find_ledger_entry_place",
  "SELECT effective_at AS at, sequence::text AS id FROM billing_ledger_entry WHERE id = $2 AND merchant_id = $1",
);

export const findLedgerPlace = async (sql: Sql, merchantId: string, id: string): Promise<Place | null> =>
  (await sql.query(findPlace, [merchantId, id]))[0] ?? null;

export type LedgerBalanceRow = { account: LedgerAccount; currency: string; posted: bigint; pending: bigint };

const balances = statement<{ account: LedgerAccount; currency: string; posted: string; pending: string }>(
  "find_ledger_balances",
  `SELECT account, currency, posted::text, pending::text FROM billing_ledger_balance
    WHERE merchant_id = $1 AND ($2::text IS NULL OR account = $2) AND ($3::text IS NULL OR currency = $3) ORDER BY currency, account`,
);

/** Balances over all time, read from sums that each posting updates. */
export const findLedgerBalances = async (
  sql: Sql,
  merchantId: string,
  { account, currency }: Pick<LedgerFilter, "account" | "currency">,
): Promise<LedgerBalanceRow[]> =>
  (await sql.query(balances, [merchantId, account, currency])).map((row) => ({
    ...row,
    posted: BigInt(row.posted),
    pending: BigInt(row.pending),
  }));
