import { findMerchantPage, type MerchantRow } from "../data/merchants/merchants.ts";
import type { Deps } from "../deps/deps.ts";
import type { MerchantStanding } from "../kernel/merchant-standing.ts";

type MerchantQuery = {
  /** an id, or part of a name */
  search?: string | undefined;
  standing?: MerchantStanding | undefined;
  startingAfter?: string | undefined;
  limit: number;
};

/** Searches all merchants for operators, sorted by name. */
export const searchMerchants = async (
  { db }: Pick<Deps, "db">,
  { search, standing, startingAfter, limit }: MerchantQuery,
): Promise<{ merchants: MerchantRow[]; hasMore: boolean }> => {
  const rows = await findMerchantPage(db.sql, {
    search: search ?? null,
    standing: standing ?? null,
    startingAfter: startingAfter ?? null,
    limit,
  });
  return { merchants: rows.slice(0, limit), hasMore: rows.length > limit };
};
