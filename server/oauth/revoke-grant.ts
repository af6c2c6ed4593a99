import { appendAudit } from "../data/audit.ts";
import { endGrantTokens } from "../data/grants.ts";
import { lockGrantOfClient } from "../data/managed-grants.ts";
import { endGrantWithoutLiveMandates } from "../data/mandates.ts";
import type { Deps } from "../deps.ts";
import { revokeGrantMandates } from "../mandates/revoke-mandate.ts";

/**
 * A client ends a grant of its own: its mandates, refresh tokens and access tokens, in one transaction. Once it has ended,
 * by this or otherwise, the same again changes nothing.
 * @returns false where the client has no such grant.
 */
export const revokeGrant = (
  deps: Deps,
  input: { grantId: string; clientId: string; requestId: string; reason: string },
): Promise<boolean> =>
  deps.db.transaction(async (tx) => {
    const { grantId, clientId, requestId, reason } = input;
    const grant = await lockGrantOfClient(tx.sql, { grantId, clientId });
    if (!grant || grant.endedAt) return grant !== null;
    const now = deps.clock.now();
    const actor = { kind: "client", id: clientId } as const;
    await revokeGrantMandates(deps, { grantId, actor, requestId, reason, tx });
    await endGrantWithoutLiveMandates(tx.sql, grantId, now);
    await endGrantTokens(tx.sql, grantId, now);
    await appendAudit(tx.sql, {
      at: now,
      actor,
      action: "grant.revoked",
      subjectId: grantId,
      requestId,
      data: { reason },
    });
    return true;
  });
