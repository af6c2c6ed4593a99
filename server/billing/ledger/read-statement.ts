import {
  findLedgerBalances,
  findLedgerPlace,
  type LedgerBalanceRow,
  type LedgerFilter,
} from "../../data/billing/ledger/entries.ts";
import { inSnapshot } from "../../data/in-snapshot.ts";
import type { Deps } from "../../deps/deps.ts";
import { findPage } from "../../kernel/pagination.ts";
import { readClosingBalances, readStatementPage, type StatementEntry } from "./read-statement-page.ts";

type LedgerStatement = { entries: StatementEntry[]; balances: LedgerBalanceRow[]; hasMore: boolean };
type StatementRequest = { merchantId: string; limit: number; startingAfter: string | null } & LedgerFilter;

/**
 * A merchant's entries, newest first, with the running balance of each entry's account and currency, and the current
 * balances (docs/spec/billing.md, Merchant pages). A running balance includes only posted amounts.
 * @throws DomainError invalid for another merchant's cursor.
 */
export const readLedgerStatement = (
  { db }: Pick<Deps, "db">,
  { startingAfter, ...query }: StatementRequest,
): Promise<LedgerStatement> =>
  inSnapshot(db, async (sql) => {
    const { merchantId, limit } = query;
    const request = { limit, startingAfter, endingBefore: null };
    const { after } = await findPage(request, "ledger entry", (id) => findLedgerPlace(sql, merchantId, id));
    const closing = await readClosingBalances(sql, { ...query, after });
    const { entries, hasMore } = await readStatementPage(sql, { ...query, after }, closing);
    return { entries, hasMore, balances: await findLedgerBalances(sql, merchantId, query) };
  });
