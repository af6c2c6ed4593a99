import { type CreditGrantRow, findCreditGrants, findCreditPlace } from "../../data/billing/credits/grants.ts";
import type { Deps } from "../../deps/deps.ts";
import { cutPage, findPage, type PageRequest } from "../../kernel/pagination.ts";

/** A merchant's credits, newest first, including used and expired credits. */
export const listCredits = async (
  { db: { sql } }: Pick<Deps, "db">,
  { merchantId, ...request }: { merchantId: string } & PageRequest,
): Promise<{ credits: CreditGrantRow[]; hasMore: boolean }> => {
  const page = await findPage(request, "credit", (id) => findCreditPlace(sql, merchantId, id));
  const { rows, hasMore } = cutPage(await findCreditGrants(sql, merchantId, page), page);
  return { credits: rows, hasMore };
};
