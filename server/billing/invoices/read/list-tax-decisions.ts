import { listTaxCases, type TaxCaseRow } from "../../../data/billing/invoices/invoice-search.ts";
import type { Deps } from "../../../deps/deps.ts";
import { decisionDate } from "../../rules/documents/terms.ts";

export type TaxCase = TaxCaseRow & {
  /** the time from which an operator may decide */
  decideFrom: Date;
  isDue: boolean;
};

type Query = { merchantId?: string | undefined; startingAfter?: string | undefined; limit: number };

/** Drafts that wait for their merchant's tax details, longest wait first. An operator may decide after 7 days. */
export const listTaxDecisions = async (
  { db, businessClock }: Pick<Deps, "db" | "businessClock">,
  { merchantId, startingAfter, limit }: Query,
): Promise<{ cases: TaxCase[]; hasMore: boolean }> => {
  const now = await businessClock.now();
  const query = { merchantId: merchantId ?? null, startingAfter: startingAfter ?? null, limit };
  const rows = await listTaxCases(db.sql, query);
  const cases = rows.slice(0, limit).map((row) => {
    const decideFrom = decisionDate(row.awaitedSince);
    return { ...row, decideFrom, isDue: decideFrom <= now };
  });
  return { cases, hasMore: rows.length > limit };
};
