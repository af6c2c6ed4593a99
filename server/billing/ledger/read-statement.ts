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
import type { Deps } from "../../deps/deps.ts";
import { cutPage, findPage } from "../../kernel/pagination.ts";
import { type Balances, runningBalances } from "../rules/ledger/running-balances.ts";

export type StatementEntry = LedgerEntryRow & {
  /** of its account and currency after the entry; debits are positive */
  balance: bigint;
  /** null for credits */
  invoice: { id: string; number: string | null } | null;
};
export type LedgerStatement = { entries: StatementEntry[]; balances: LedgerBalanceRow[]; hasMore: boolean };

type Input = { merchantId: string; limit: number; startingAfter: string | null } & LedgerFilter;

/**
 * A merchant's entries, newest first, with the running balance of each entry's account and currency, and today's
 * balances (docs/spec/billing.md, Merchant pages). Only posted amounts count in a balance.
 * @throws DomainError invalid for another merchant's cursor.
 */
export const readLedgerStatement = async (
  { db: { sql } }: Pick<Deps, "db">,
  { merchantId, limit, startingAfter, ...filter }: Input,
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
