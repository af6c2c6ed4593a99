import { lockGrantsOfPayer } from "../../data/accounts/connected-clients.ts";
import type { Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { endGrant } from "../grants/end-grant.ts";

/** Ends the payer's grants in the caller's transaction. @param input.clientId null: of all clients */
export const endGrantsOfPayer = async (
  deps: Deps,
  sql: Sql,
  input: { payerId: string; clientId: string | null; requestId: string; reason: string },
): Promise<number> => {
  const { payerId, clientId, requestId, reason } = input;
  const grantIds = await lockGrantsOfPayer(sql, { payerId, clientId });
  for (const grantId of grantIds) {
    await endGrant(deps, sql, { grantId, actor: { kind: "payer", id: payerId }, requestId, reason });
  }
  return grantIds.length;
};
