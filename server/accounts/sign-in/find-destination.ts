import { findIsOperator } from "../../data/accounts/accounts.ts";
import type { Deps } from "../../deps/deps.ts";
import { listMemberships } from "../memberships.ts";
import { leadsHome } from "../rules/return-to.ts";

/**
 * Where a sign-in leads: where it was going, else an operator to the console, a merchant's member to the dashboard and
 * everybody else to the wallet.
 * @param returnTo as `safeReturnTo` gives it.
 */
export const findDestination = async (
  deps: Pick<Deps, "db">,
  { accountId, returnTo }: { accountId: string; returnTo: string },
): Promise<string> => {
  if (!leadsHome(returnTo)) return returnTo;
  if (await findIsOperator(deps.db, accountId)) return "/operator";
  return (await listMemberships(deps, { accountId })).length > 0 ? "/merchant" : returnTo;
};
