import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import type { Sql } from "../../data/client.ts";
import { endGrantWithoutLiveMandates } from "../../data/mandates/mandates.ts";
import { endGrantTokens } from "../../data/oauth/grants.ts";
import type { Deps } from "../../deps/deps.ts";
import { revokeGrantMandates } from "../../mandates/lifecycle/revoke-mandate.ts";

/**
 * Ends a grant with its mandates, refresh tokens and access tokens, in the caller's transaction. The caller informs the
 * payer. @returns the ids of the mandates that were revoked.
 */
export const endGrant = async (
  deps: Deps,
  sql: Sql,
  input: { grantId: string; actor: Actor; requestId: string; reason: string },
): Promise<string[]> => {
  const { grantId, actor, requestId, reason } = input;
  const at = await deps.businessClock.now();
  const revoked = await revokeGrantMandates(deps, { ...input, tx: { sql } });
  await endGrantWithoutLiveMandates(sql, grantId, at);
  await endGrantTokens(sql, { grantId, now: deps.clock.now() });
  await appendAudit(sql, {
    at,
    actor,
    action: "grant.revoked",
    subjectId: grantId,
    requestId,
    data: { reason },
  });
  return revoked;
};
