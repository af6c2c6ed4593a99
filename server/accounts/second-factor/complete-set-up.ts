import { markSecondFactor } from "../../data/accounts/second-factors.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import type { SessionContext } from "../sessions/find-session.ts";

/**
 * Called after a person added a passkey. The passkey verified its holder, so the session of an operator now has a
 * second factor. For other persons, nothing changes. The caller must have checked `requireSecondFactor`.
 */
export const completeSetUp = async (
  deps: Pick<Deps, "db" | "clock">,
  { session, requestId }: { session: SessionContext; requestId: string },
): Promise<void> => {
  const { account, sessionId } = session;
  if (account.operatorRole === null || session.hasSecondFactor) return;
  const now = deps.clock.now();
  await deps.db.transaction(async (tx) => {
    if (!(await markSecondFactor(tx.sql, { sessionId, accountId: account.id, now }))) return;
    await appendAudit(tx.sql, {
      at: now,
      actor: { kind: "operator", id: account.id },
      action: "second_factor.set_up",
      subjectId: account.id,
      requestId,
      data: { by: "passkey", session: sessionId },
    });
  });
};
