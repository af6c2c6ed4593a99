import { removeTotp } from "../../data/accounts/second-factors.ts";
import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { revokeInvitationsOf } from "../../data/operators/operator-invitations.ts";
import type { Deps } from "../../deps/deps.ts";
import { tidyEmail } from "../../kernel/text/email-address.ts";
import { refuseFormerAdmin } from "./refuse-former-admin.ts";
import { operatorNotFoundRefusal, setRole } from "./set-role.ts";

type Removal = { email: string; actor: Actor; requestId: string; reason: string };

/**
 * Removes an operator, effective immediately, and revokes open links for the e-mail address or the account. The account
 * isn't deleted.
 * @throws DomainError admins_only, operator_not_found, last_admin.
 */
export const removeOperator = (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { actor, requestId, reason, ...input }: Removal,
): Promise<{ wasOperator: boolean }> =>
  deps.db.transaction(async (tx) => {
    const email = tidyEmail(input.email);
    const account = await tx.account.findUnique({ where: { email }, select: { id: true, operatorRole: true } });
    const wasOperator = account !== null && account.operatorRole !== null;
    if (wasOperator) {
      await setRole(deps, tx, { accountId: account.id, role: null, actor, requestId, reason });
      // A person who becomes an operator again sets up a new authenticator app.
      await removeTotp(tx.sql, { accountId: account.id, sessionId: null });
    } else {
      await refuseFormerAdmin(tx.sql, actor);
    }
    const now = deps.clock.now();
    const invitations = await revokeInvitationsOf(tx.sql, { email, accountId: account?.id ?? null, now });
    if (!wasOperator && invitations.length === 0) throw operatorNotFoundRefusal();
    for (const subjectId of invitations) {
      const entry = { action: "operator.invitation_revoked", subjectId, requestId };
      await appendAudit(tx.sql, { at: now, actor, ...entry, data: { reason } });
    }
    return { wasOperator };
  });
