import {
  findLedgerBalances,
  findLedgerEntries,
  findLedgerPlace,
  type LedgerBalanceRow,
  type LedgerEntryRow,
  type LedgerFilter,
} from "../../data/billing/ledger/entries.ts";
import type { Deps } from "../../deps/deps.ts";
import { cutPage, findPage, type PageRequest } from "../../kernel/pagination.ts";

export type LedgerPage = { entries: LedgerEntryRow[]; balances: LedgerBalanceRow[]; hasMore: boolean };

type Input = { merchantId: string } & LedgerFilter & PageRequest;

/** A merchant's entries, newest first, and its balances. The balances don't depend on `from`, `to` or the page. */
export const listLedger = async (
  { db: { sql } }: Pick<Deps, "db">,
  { merchantId, account, currency, from, to, ...request }: Input,
): Promise<LedgerPage> => {
  const page = await findPage(request, "ledger entry", (id) => findLedgerPlace(sql, merchantId, id));
  const filter = { account, currency, from, to };
  const { rows, hasMore } = cutPage(await findLedgerEntries(sql, merchantId, { ...filter, page }), page);
  return { entries: rows, hasMore, balances: await findLedgerBalances(sql, merchantId, filter) };
};
