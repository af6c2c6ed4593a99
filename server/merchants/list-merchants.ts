import { findMerchants, type MerchantRow } from "../data/merchants/merchants.ts";
import type { Deps } from "../deps/deps.ts";

type Question = {
  /** an id, or a part of a name */
  search?: string | undefined;
  isSuspended?: boolean | undefined;
  startingAfter?: string | undefined;
  limit: number;
};

/** Every merchant, by name, as operators look for one. */
export const listMerchants = async (
  { db }: Pick<Deps, "db">,
  { search, isSuspended, startingAfter, limit }: Question,
): Promise<{ merchants: MerchantRow[]; hasMore: boolean }> => {
  const rows = await findMerchants(db.sql, {
    search: search ?? null,
    isSuspended: isSuspended ?? null,
    startingAfter: startingAfter ?? null,
    limit,
  });
  return { merchants: rows.slice(0, limit), hasMore: rows.length > limit };
};
