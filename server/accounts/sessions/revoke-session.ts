import { revokeSessionOfAccount } from "../../data/accounts/accounts.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import { sessionNotFound } from "./lock-account-of-session.ts";

/** @throws DomainError session_not_found if the session has ended or belongs to another account. */
export const revokeSession = (
  deps: Pick<Deps, "db" | "clock">,
  input: { accountId: string; sessionId: string; requestId: string },
): Promise<void> =>
  deps.db.transaction(async (tx) => {
    const now = deps.clock.now();
    if (!(await revokeSessionOfAccount(tx, { ...input, now }))) throw sessionNotFound();
    await appendAudit(tx.sql, {
      at: now,
      actor: { kind: "payer", id: input.accountId },
      action: "session.revoked",
      subjectId: input.sessionId,
      requestId: input.requestId,
    });
  });
