import { findMerchantPage, type MerchantRow } from "../data/merchants/merchants.ts";
import type { Deps } from "../deps/deps.ts";

type MerchantQuery = {
  /** an id, or part of a name */
  search?: string | undefined;
  isSuspended?: boolean | undefined;
  startingAfter?: string | undefined;
  limit: number;
};

/** All merchants, sorted by name, for operators. */
export const searchMerchants = async (
  { db }: Pick<Deps, "db">,
  { search, isSuspended, startingAfter, limit }: MerchantQuery,
): Promise<{ merchants: MerchantRow[]; hasMore: boolean }> => {
  const rows = await findMerchantPage(db.sql, {
    search: search ?? null,
    isSuspended: isSuspended ?? null,
    startingAfter: startingAfter ?? null,
    limit,
  });
  return { merchants: rows.slice(0, limit), hasMore: rows.length > limit };
};
