import type { OperatorRole } from "../../accounts/authorize.ts";
import { findAccountByEmail } from "../../data/accounts/accounts.ts";
import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { findInvitedRole, upsertInvitation } from "../../data/operators/operator-invitations.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId, newSecret } from "../../kernel/ids.ts";
import { isEmailAddress, tidyEmail } from "../../kernel/text/email-address.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { refuseFormerAdmin } from "../team/refuse-former-admin.ts";
import { setRole } from "../team/set-role.ts";

const linkSeconds = 24 * 3600;

export type Invited = {
  /** valid once, for 24 hours; only its hash is stored */
  link: string;
  expiresAt: Date;
  /**
   * `invited`: the person isn't an operator yet. `renewed`: the same, and an earlier link is now invalid.
   * `operator`: the link resets an operator's second factor.
   */
  outcome: "invited" | "renewed" | "operator";
  role: OperatorRole;
  /** the operator had another role before */
  isRoleChanged: boolean;
};

/** `role`: null keeps the role of an operator or of an open invitation, and makes any other person an admin. */
type InviteInput = { email: string; role: OperatorRole | null; actor: Actor; requestId: string; reason: string };

/**
 * Creates a one-time link for a new operator, which replaces an open link for the same address. If the address belongs
 * to an operator, sets the role and creates a link that resets the second factor.
 * @throws DomainError admins_only, email_invalid, last_admin.
 */
export const inviteOperator = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { actor, requestId, reason, ...input }: InviteInput,
): Promise<Invited> => {
  const email = tidyEmail(input.email);
  if (!isEmailAddress(email)) throw emailRefusal();
  const now = deps.clock.now();
  const account = await findAccountByEmail(deps.db, email);
  if (account?.isProbe) throw emailRefusal();
  const role = input.role ?? account?.operatorRole ?? (await findInvitedRole(deps.db.sql, email)) ?? "admin";
  const isOperator = account !== null && account.operatorRole !== null;
  const isRoleChanged = isOperator && account.operatorRole !== role;
  const secret = newSecret();
  const expiresAt = addSeconds(now, linkSeconds);
  const { isNew } = await deps.db.transaction(async (tx) => {
    await refuseFormerAdmin(tx.sql, actor);
    if (isRoleChanged) await setRole(deps, tx, { accountId: account.id, role, actor, requestId, reason });
    const invitation = await upsertInvitation(tx.sql, {
      id: newId("opi"),
      email,
      role,
      secretHash: sha256Base64url(secret),
      newAccountId: isOperator ? account.id : newId("acc"),
      invitedBy: actor.id,
      now,
      expiresAt,
    });
    await appendAudit(tx.sql, {
      at: now,
      actor,
      action: isOperator ? "operator.reset_allowed" : "operator.invited",
      subjectId: isOperator ? account.id : invitation.id,
      requestId,
      data: { role, invitation: invitation.id, reason },
    });
    return invitation;
  });
  const link = `${deps.config.walletUrl}/operator/invitation?token=${secret}`;
  return { link, expiresAt, outcome: isOperator ? "operator" : isNew ? "invited" : "renewed", role, isRoleChanged };
};

const emailRefusal = () =>
  new DomainError("invalid", {
    code: "email_invalid",
    message: "The e-mail address is invalid. Enter one address, for example name@example.com.",
    errors: [{ pointer: "/email", detail: "Enter one e-mail address, for example name@example.com." }],
  });
