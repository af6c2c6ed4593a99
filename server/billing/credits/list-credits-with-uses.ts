import { findUsesOfGrants, type GrantUse } from "../../data/billing/credits/credit-uses.ts";
import type { CreditGrantRow } from "../../data/billing/credits/grants.ts";
import type { Deps } from "../../deps/deps.ts";
import type { PageRequest } from "../../kernel/pagination.ts";
import { listCredits } from "./list-credits.ts";

/** Earlier uses are shown on the invoices. */
const maxUsesOfCredit = 12;

export type CreditWithUses = CreditGrantRow & { uses: GrantUse[]; hasMoreUses: boolean };

/** A merchant's credits, newest first, each with its last uses (docs/spec/billing.md, Merchant pages). */
export const listCreditsWithUses = async (
  deps: Pick<Deps, "db">,
  input: { merchantId: string } & PageRequest,
): Promise<{ credits: CreditWithUses[]; hasMore: boolean }> => {
  const { credits, hasMore } = await listCredits(deps, input);
  const ids = credits.map(({ id }) => id);
  const uses = Map.groupBy(await findUsesOfGrants(deps.db.sql, ids, maxUsesOfCredit + 1), ({ grantId }) => grantId);
  const withUses = credits.map((credit) => {
    const own = uses.get(credit.id) ?? [];
    return { ...credit, uses: own.slice(0, maxUsesOfCredit), hasMoreUses: own.length > maxUsesOfCredit };
  });
  return { credits: withUses, hasMore };
};
