import { findChargesUnderReview, type OperatorCharge } from "../../data/charges/charges-under-review.ts";
import type { Deps } from "../../deps/deps.ts";

type Query = {
  /** an id of a charge or mandate, or a part of the merchant's name or of the reference */
  search?: string | undefined;
  startingAfter?: string | undefined;
  limit: number;
};

/** Charges that need review, oldest first. */
export const listChargesUnderReview = async (
  { db }: Pick<Deps, "db">,
  { search, startingAfter, limit }: Query,
): Promise<{ charges: OperatorCharge[]; hasMore: boolean }> => {
  const query = { search: search ?? null, startingAfter: startingAfter ?? null, limit };
  const rows = await findChargesUnderReview(db.sql, query);
  return { charges: rows.slice(0, limit), hasMore: rows.length > limit };
};
