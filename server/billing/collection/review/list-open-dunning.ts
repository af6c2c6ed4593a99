import { type DunningCaseRow, listDunningCases } from "../../../data/billing/collection/dunning-cases.ts";
import type { Deps } from "../../../deps/deps.ts";
import { type DunningStep, nextDunningStep, suspensionAt } from "../../rules/collection/dunning.ts";

export type DunningCase = DunningCaseRow & {
  /** null: all steps are done */
  next: DunningStep | null;
  /** the time from which new charges are refused, in the future or in the past */
  suspensionAt: Date;
};

/** Open invoices whose payment failed or whose due date has passed, longest unpaid first. */
export const listOpenDunning = async (
  { db }: Pick<Deps, "db">,
  { startingAfter = null, limit }: { startingAfter?: string | null | undefined; limit: number },
): Promise<{ cases: DunningCase[]; hasMore: boolean }> => {
  const rows = await listDunningCases(db.sql, { startingAfter, limit });
  const cases = rows.slice(0, limit).map((row) => ({
    ...row,
    next: nextDunningStep(row),
    suspensionAt: suspensionAt(row),
  }));
  return { cases, hasMore: rows.length > limit };
};
