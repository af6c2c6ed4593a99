import { lockGrantsOfPayer } from "../../data/accounts/connected-clients.ts";
import type { Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { endGrant } from "../grants/end-grant.ts";

/**
 * Ends the payer's grants in the caller's transaction. The caller informs the payer.
 * @param input.clientId null: the payer's grants to all clients
 * @returns how many grants ended, and the ids of the mandates that were revoked.
 */
export const endGrantsOfPayer = async (
  deps: Deps,
  sql: Sql,
  input: { payerId: string; clientId: string | null; requestId: string; reason: string },
): Promise<{ ended: number; mandateIds: string[] }> => {
  const { payerId, clientId, requestId, reason } = input;
  const grantIds = await lockGrantsOfPayer(sql, { payerId, clientId });
  const mandateIds: string[] = [];
  for (const grantId of grantIds) {
    const actor = { kind: "payer", id: payerId } as const;
    mandateIds.push(...(await endGrant(deps, sql, { grantId, actor, requestId, reason })));
  }
  return { ended: grantIds.length, mandateIds };
};
