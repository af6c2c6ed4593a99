import type { LedgerFilter } from "../../data/billing/ledger/entries.ts";
import type { Deps } from "../../deps/deps.ts";
import { toDecimal } from "../../kernel/money/money.ts";
import { toCsvLine } from "../../kernel/text/csv.ts";
import { readLedgerStatement, type StatementEntry } from "./read-statement.ts";

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

/**
 * A merchant's ledger entries as CSV (RFC 4180), newest first, in parts, with the same filters and balances as its
 * page. Amounts are plain decimals; a balance is positive if debits exceed credits.
 */
export async function* exportLedger(
  deps: Pick<Deps, "db">,
  filters: { merchantId: string } & LedgerFilter,
): AsyncGenerator<string> {
  // Spreadsheets read UTF-8 only with a byte order mark.
  yield `\ufeff${toCsvLine(headings)}`;
  let startingAfter: string | null = null;
  for (;;) {
    const page = { ...filters, startingAfter, limit: pageRows };
    const { entries, hasMore }: Awaited<ReturnType<typeof readLedgerStatement>> = await readLedgerStatement(deps, page);
    startingAfter = entries.at(-1)?.id ?? null;
    if (startingAfter === null) return;
    yield entries.map((entry) => toCsvLine(cellsOf(entry))).join("");
    if (!hasMore) return;
  }
}

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
