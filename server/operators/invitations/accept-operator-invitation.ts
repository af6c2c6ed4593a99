import type { SessionContext } from "../../accounts/sessions/find-session.ts";
import { lockAccountOfSession } from "../../accounts/sessions/lock-account-of-session.ts";
import { passkeyAcr } from "../../accounts/sessions/sessions.ts";
import { findAccountById } from "../../data/accounts/accounts.ts";
import { removeSecondFactors, removeTotp } from "../../data/accounts/second-factors.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import { consumeInvitation } from "../../data/operators/operator-invitations.ts";
import { grantOperatorRole } from "../../data/operators/operators.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { invitationGoneRefusal, otherAccountRefusal } from "./invitation-refusals.ts";

/**
 * Makes the signed-in account of the invited address an operator. If the account already is an operator, the link
 * resets the second factor: the authenticator app, and the passkeys unless the person just signed in with one.
 * @throws DomainError invitation_gone, invitation_for_another, session_not_found.
 */
export const acceptOperatorInvitation = (
  deps: Pick<Deps, "db" | "clock">,
  { token, session, requestId }: { token: string; session: SessionContext; requestId: string },
): Promise<void> =>
  deps.db.transaction(async (tx) => {
    const { id: accountId, email } = session.account;
    const { sessionId, acr } = session;
    const now = deps.clock.now();
    // The account is locked before the invitation, as when an operator is removed. Another order could cause deadlocks.
    await lockAccountOfSession(tx.sql, { accountId, sessionId, now });
    const invitation = await consumeInvitation(tx.sql, sha256Base64url(token), now);
    if (!invitation) throw invitationGoneRefusal();
    const resetId = (await findAccountById(tx, invitation.new_account_id))?.id ?? null;
    // Thrown, so that the link stays valid for the invited person.
    if (resetId === null ? invitation.email !== email : resetId !== accountId) throw otherAccountRefusal();
    const granted = await grantOperatorRole(tx.sql, { accountId, role: invitation.role });
    // A link that resets a second factor doesn't make a removed operator an operator again.
    if (!granted || (granted.isNew && resetId !== null)) throw invitationGoneRefusal();
    const { role, isNew } = granted;
    const hasPasskey = acr === passkeyAcr;
    if (!isNew)
      await (hasPasskey ? removeTotp(tx.sql, { accountId, sessionId }) : removeSecondFactors(tx.sql, accountId));
    await appendAudit(tx.sql, {
      at: now,
      actor: { kind: "operator", id: accountId },
      action: isNew ? "operator.added" : "operator.second_factor_reset",
      subjectId: accountId,
      requestId,
      data: { role, invitation: invitation.id },
    });
  });
