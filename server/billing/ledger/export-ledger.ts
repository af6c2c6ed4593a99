import { type LedgerFilter, placeOfEntry } from "../../data/billing/ledger/entries.ts";
import type { Sql } from "../../data/client.ts";
import { inSnapshot } from "../../data/in-snapshot.ts";
import type { Deps } from "../../deps/deps.ts";
import { toDecimal } from "../../kernel/money/money.ts";
import { toCsvLine } from "../../kernel/text/csv.ts";
import { readClosingBalances, readStatementPage, type StatementEntry } from "./read-statement-page.ts";

const pageRows = 500;

const headings = [
  "Entry ID",
  "Transaction ID",
  "Effective (UTC)",
  "Account",
  "Direction",
  "Currency",
  "Amount",
  "Balance",
  "State",
  "Source type",
  "Source ID",
  "Invoice number",
];

type Filters = { merchantId: string } & LedgerFilter;

/**
 * A merchant's ledger entries as CSV (RFC 4180), newest first, in parts. The filters and balances are those of the
 * ledger page. All rows are read before the first row is sent, so that a slow client doesn't keep the snapshot and its
 * connection open. The rows fit in memory, because an invoice has only a few entries. Amounts are plain decimals. A
 * balance is positive if debits exceed credits.
 */
export async function* exportLedger({ db }: Pick<Deps, "db">, filters: Filters): AsyncGenerator<string> {
  const pages = await inSnapshot(db, (sql) => readPages(sql, filters));
  // Spreadsheet programs recognize UTF-8 only by a byte order mark.
  yield `\ufeff${toCsvLine(headings)}`;
  for (const entries of pages) yield entries.map((entry) => toCsvLine(cellsOf(entry))).join("");
}

const readPages = async (sql: Sql, filters: Filters): Promise<StatementEntry[][]> => {
  const pages: StatementEntry[][] = [];
  let closing = await readClosingBalances(sql, { ...filters, after: null });
  for (;;) {
    const last = pages.at(-1)?.at(-1);
    const after = last ? placeOfEntry(last) : null;
    const { entries, opening, hasMore } = await readStatementPage(sql, { ...filters, after, limit: pageRows }, closing);
    pages.push(entries);
    if (!hasMore) return pages;
    closing = opening;
  }
};

const cellsOf = (entry: StatementEntry): string[] => {
  const { amount, currency } = entry;
  return [
    entry.id,
    entry.transactionId,
    entry.effectiveAt.toISOString(),
    entry.account,
    amount > 0n ? "debit" : "credit",
    currency,
    toDecimal({ amountMinor: amount > 0n ? amount : -amount, currency }),
    toDecimal({ amountMinor: entry.balance, currency }),
    entry.state,
    entry.sourceType,
    entry.sourceId,
    entry.invoice?.number ?? "",
  ];
};
