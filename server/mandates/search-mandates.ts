import { type FoundMandate, findMandatesForOperator as findMandates } from "../data/mandates/mandate-search.ts";
import type { Deps } from "../deps/deps.ts";
import { effectiveState } from "./rules/limits.ts";

type Query = {
  /** an id of mandate, client or payer, or the payer's e-mail address */
  search: string;
  startingAfter?: string | undefined;
  limit: number;
};

/** Searches all mandates for operators, newest first. */
export const searchMandates = async (
  { db, businessClock }: Pick<Deps, "db" | "businessClock">,
  { search, startingAfter, limit }: Query,
): Promise<{ mandates: FoundMandate[]; hasMore: boolean }> => {
  const rows = await findMandates(db.sql, { search, startingAfter: startingAfter ?? null, limit });
  const at = await businessClock.now();
  const mandates = rows
    .slice(0, limit)
    .map((row) => ({ ...row, state: effectiveState(row.state, row.validUntil, at) }));
  return { mandates, hasMore: rows.length > limit };
};
