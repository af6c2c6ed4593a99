import { revokeSessionsOfAccount } from "../../data/accounts/credentials.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";

/** Ends all sessions of an account except one. @returns the number of sessions that ended. */
export const revokeOtherSessions = (
  deps: Pick<Deps, "db" | "clock">,
  { accountId, sessionId, requestId }: { accountId: string; sessionId: string; requestId: string },
): Promise<{ endedSessions: number }> =>
  deps.db.transaction(async (tx) => {
    const now = deps.clock.now();
    const ended = await revokeSessionsOfAccount(tx, { accountId, keptId: sessionId, now });
    const actor = { kind: "payer", id: accountId } as const;
    for (const subjectId of ended) {
      await appendAudit(tx.sql, { at: now, actor, action: "session.revoked", subjectId, requestId });
    }
    return { endedSessions: ended.length };
  });
