import type { LedgerAccount } from "../../../billing/rules/ledger/accounts.ts";
import type { Place } from "../../../kernel/pagination.ts";
import { type Sql, statement } from "../../client.ts";

export type ClosingBalance = { account: LedgerAccount; currency: string; posted: bigint };

const find = statement<{ account: LedgerAccount; currency: string; posted: string }>(
  "find_closing_ledger_balances",
  `SELECT b.account, b.currency, (b.posted - coalesce(later.amount, 0))::text AS posted
     FROM billing_ledger_balance b LEFT JOIN (
       SELECT e.account, e.currency, sum(e.amount) AS amount
         FROM billing_ledger_entry e JOIN billing_ledger_transaction t ON t.id = e.transaction_id AND t.state = 'posted'
        WHERE e.merchant_id = $1 AND (e.effective_at, e.sequence) >= ($2::timestamptz, $3::bigint)
        GROUP BY e.account, e.currency) later ON later.account = b.account AND later.currency = b.currency
    WHERE b.merchant_id = $1`,
);

/**
 * The posted balances before the entry at `before`; null: the current balances. They are computed from the current
 * balances, less this entry and all later ones. This is fast, because a merchant has only a few entries per invoice.
 */
export const findClosingBalances = async (
  sql: Sql,
  merchantId: string,
  before: Place | null,
): Promise<ClosingBalance[]> =>
  (await sql.query(find, [merchantId, before?.at ?? "infinity", before?.id ?? "0"])).map((row) => ({
    ...row,
    posted: BigInt(row.posted),
  }));
