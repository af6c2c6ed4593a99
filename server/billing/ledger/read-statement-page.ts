import { findClosingBalances } from "../../data/billing/ledger/closing-balances.ts";
import {
  findLedgerBalances,
  findLedgerEntries,
  findLedgerPlace,
  type LedgerBalanceRow,
  type LedgerEntryRow,
  type LedgerFilter,
} from "../../data/billing/ledger/entries.ts";
import { findSourceInvoices } from "../../data/billing/ledger/entry-sources.ts";
import type { Sql } from "../../data/client.ts";
import { cutPage, findPage } from "../../kernel/pagination.ts";
import { type Balances, runningBalances } from "../rules/ledger/running-balances.ts";

export type StatementEntry = LedgerEntryRow & {
  /** balance of the entry's account and currency after the entry; debits are positive */
  balance: bigint;
  /** null for entries of credit grants */
  invoice: { id: string; number: string | null } | null;
};
export type LedgerStatement = { entries: StatementEntry[]; balances: LedgerBalanceRow[]; hasMore: boolean };

export type StatementRequest = { merchantId: string; limit: number; startingAfter: string | null } & LedgerFilter;

/**
 * One page of a statement. The caller must read in a snapshot, because balances are computed by several SQL queries.
 * @throws DomainError invalid for another merchant's cursor.
 */
export const readStatementPage = async (
  sql: Sql,
  { merchantId, limit, startingAfter, ...filter }: StatementRequest,
): Promise<LedgerStatement> => {
  const request = { limit, startingAfter, endingBefore: null };
  const page = await findPage(request, "ledger entry", (id) => findLedgerPlace(sql, merchantId, id));
  const { rows, hasMore } = cutPage(await findLedgerEntries(sql, merchantId, { ...filter, page }), page);
  const end = page.after ?? (filter.to && { at: filter.to, id: "" });
  const closing: Balances = new Map();
  for (const { account, currency, posted } of await findClosingBalances(sql, merchantId, end)) {
    closing.set(`${account} ${currency}`, posted);
  }
  const sources = await findSourceInvoices(
    sql,
    rows.map(({ transactionId }) => transactionId),
  );
  const invoices = new Map(sources.map(({ transactionId, invoiceId: id, number }) => [transactionId, { id, number }]));
  const entries = runningBalances(rows, closing).map((entry) => ({
    ...entry,
    invoice: invoices.get(entry.transactionId) ?? null,
  }));
  return { entries, hasMore, balances: await findLedgerBalances(sql, merchantId, filter) };
};
