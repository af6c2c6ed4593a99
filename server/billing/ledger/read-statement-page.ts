import { findClosingBalances } from "../../data/billing/ledger/closing-balances.ts";
import { findLedgerEntries, type LedgerEntryRow, type LedgerFilter } from "../../data/billing/ledger/entries.ts";
import { findSourceInvoices } from "../../data/billing/ledger/entry-sources.ts";
import type { Sql } from "../../data/client.ts";
import { cutPage, type Page, type Place } from "../../kernel/pagination.ts";
import { type Balances, runningBalances } from "../rules/ledger/running-balances.ts";

export type StatementEntry = LedgerEntryRow & {
  /** balance of the entry's account and currency after the entry; debits are positive */
  balance: bigint;
  /** null for entries of credit grants */
  invoice: { id: string; number: string | null } | null;
};

type PageQuery = { merchantId: string; limit: number; after: Place | null } & LedgerFilter;
type StatementPage = {
  entries: StatementEntry[];
  /** the balances before these entries, which are the closing balances of the next page */
  opening: Balances;
  hasMore: boolean;
};

/** The balances after the newest entry of a page. */
export const readClosingBalances = async (
  sql: Sql,
  { merchantId, after, to }: Pick<PageQuery, "merchantId" | "after" | "to">,
): Promise<Balances> => {
  const closing = await findClosingBalances(sql, merchantId, after ?? (to && { at: to, id: "0" }));
  return new Map(closing.map(({ account, currency, posted }) => [`${account} ${currency}`, posted]));
};

/**
 * One page of a statement, newest first. The caller must read in a snapshot, because entries and balances are read by
 * several SQL queries.
 */
export const readStatementPage = async (
  sql: Sql,
  { merchantId, limit, after, ...filter }: PageQuery,
  closing: Balances,
): Promise<StatementPage> => {
  const page: Page = { limit, after, before: null };
  const { rows, hasMore } = cutPage(await findLedgerEntries(sql, merchantId, { ...filter, page }), page);
  const sources = await findSourceInvoices(
    sql,
    rows.map(({ transactionId }) => transactionId),
  );
  const invoices = new Map(sources.map(({ transactionId, invoiceId: id, number }) => [transactionId, { id, number }]));
  const { entries, opening } = runningBalances(rows, closing);
  const named = entries.map((entry) => ({ ...entry, invoice: invoices.get(entry.transactionId) ?? null }));
  return { entries: named, opening, hasMore };
};
