import { queueSecurityMail } from "../../accounts/notices/queue-security-mail.ts";
import { findAccountById } from "../../data/accounts/accounts.ts";
import { revokeSessionsOfAccount } from "../../data/accounts/credentials.ts";
import { deleteEmailChange } from "../../data/accounts/email-changes.ts";
import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import { payerNotFound } from "./get-payer.ts";

type Input = { accountId: string; reason: string; actor: Actor; requestId: string };

/**
 * Ends all sessions of an account, with the audit entries and the mail to its owner in the same transaction. Its
 * password, passkeys and connected apps don't change. An incomplete change of the e-mail address is canceled. If no
 * session is live, nothing else is written.
 * @returns the number of sessions that ended. @throws DomainError not_found.
 */
export const endPayerSessions = (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { accountId, reason, actor, requestId }: Input,
): Promise<{ endedSessions: number }> =>
  deps.db.transaction(async (tx) => {
    const account = await findAccountById(tx, accountId);
    if (!account || account.isProbe) throw payerNotFound();
    const at = deps.clock.now();
    // A change of address that someone else began must not complete afterwards.
    await deleteEmailChange(tx, accountId);
    const ended = await revokeSessionsOfAccount(tx, { accountId, keptId: null, now: at });
    if (ended.length === 0) return { endedSessions: 0 };
    for (const subjectId of ended) {
      await appendAudit(tx.sql, { at, actor, action: "session.revoked", subjectId, requestId });
    }
    const data = { reason, sessions: ended.length };
    await appendAudit(tx.sql, { at, actor, action: "account.signed_out", subjectId: accountId, requestId, data });
    // A deleted account has no address.
    if (account.deletedAt === null) {
      await queueSecurityMail(deps, tx, { account, event: { kind: "signed_out" }, requestId });
    }
    return { endedSessions: ended.length };
  });
