import { findOperatorRole } from "../../data/operators/operators.ts";
import type { Deps } from "../../deps/deps.ts";
import { listMemberships } from "../memberships.ts";
import { isDefaultReturn } from "../rules/return-to.ts";

/**
 * The path after a sign-in. If no page was requested, it is the console for operators, the dashboard for members of a
 * merchant, and the wallet for everyone else.
 * @param returnTo the result of `safeReturnTo`.
 */
export const findDestination = async (
  deps: Pick<Deps, "db">,
  { accountId, returnTo }: { accountId: string; returnTo: string },
): Promise<string> => {
  if (!isDefaultReturn(returnTo)) return returnTo;
  if ((await findOperatorRole(deps.db, accountId)) !== null) return "/operator";
  return (await listMemberships(deps, { accountId })).length > 0 ? "/merchant" : returnTo;
};
