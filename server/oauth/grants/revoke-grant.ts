import type { Sql } from "../../data/client.ts";
import { lockGrantOfClient } from "../../data/oauth/managed-grants.ts";
import type { Deps } from "../../deps/deps.ts";
import { mailMandateChange } from "../../mandates/notices/mail-mandate-change.ts";
import { endGrant } from "./end-grant.ts";

/**
 * Ends a client's own grant, and its mandates, refresh tokens and access tokens, in one transaction. Idempotent.
 * @param input.isMoot called after the grant is locked. If it returns true, nothing is revoked, and the result is true.
 * @returns false if the client has no such grant.
 */
export const revokeGrant = (
  deps: Deps,
  input: {
    grantId: string;
    clientId: string;
    requestId: string;
    reason: string;
    isMoot?: (sql: Sql) => Promise<boolean>;
  },
): Promise<boolean> =>
  deps.db.transaction(async (tx) => {
    const { grantId, clientId, requestId, reason } = input;
    const grant = await lockGrantOfClient(tx.sql, { grantId, clientId });
    if (!grant || grant.endedAt) return grant !== null;
    if (await input.isMoot?.(tx.sql)) return true;
    const by = { kind: "client", id: clientId } as const;
    const mandateIds = await endGrant(deps, tx.sql, { grantId, actor: by, requestId, reason });
    const at = await deps.businessClock.now();
    await mailMandateChange(deps, tx.sql, { mandateIds, change: "revoked", by, at, requestId });
    return true;
  });
