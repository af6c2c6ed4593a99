import { inSnapshot } from "../../data/in-snapshot.ts";
import type { Deps } from "../../deps/deps.ts";
import { type LedgerStatement, readStatementPage, type StatementRequest } from "./read-statement-page.ts";

/**
 * A merchant's entries, newest first, with the running balance of each entry's account and currency, and the current
 * balances (docs/spec/billing.md, Merchant pages). A running balance includes only posted amounts.
 * @throws DomainError invalid for another merchant's cursor.
 */
export const readLedgerStatement = ({ db }: Pick<Deps, "db">, request: StatementRequest): Promise<LedgerStatement> =>
  inSnapshot(db, (sql) => readStatementPage(sql, request));
