import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { countRecentInvitations, insertMerchantInvitation } from "../../data/merchants/invitations.ts";
import { findMember, hasMemberWithEmail } from "../../data/merchants/members.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { tidyEmail } from "../../kernel/text/email-address.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";
import { getLockedMerchant } from "../get-locked-merchant.ts";
import type { InvitedRole } from "../rules/team-changes.ts";
import { invitationMail, invitationSeconds } from "./invitation-mail.ts";
import { openLink } from "./open-link.ts";

type Input = { merchantId: string; email: string; role: InvitedRole; actor: Actor; requestId: string };

/** Open invitations, and those of the last day. A merchant's name could otherwise be used to send unwanted mail. */
const maxInvitations = 50;

/**
 * Invites a person by e-mail. The answer is the same whether or not the address has an account.
 * @throws DomainError already_member, already_invited, too_many_invitations.
 */
export const inviteMember = (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { merchantId, email, role, actor, requestId }: Input,
): Promise<{ invitationId: string }> =>
  deps.db.transaction(async (tx) => {
    const merchant = await getLockedMerchant(tx.sql, merchantId);
    const [at, recipient] = [deps.clock.now(), tidyEmail(email)];
    if (await hasMemberWithEmail(tx.sql, merchantId, recipient)) {
      throw emailRefusal("already_member", "This person is a member of the team already.");
    }
    if ((await countRecentInvitations(tx.sql, merchantId, addSeconds(at, -24 * 3600))) >= maxInvitations) {
      throw new DomainError("rate_limited", {
        code: "too_many_invitations",
        message: `A team can have ${maxInvitations} invitations a day. Cancel open ones, or try again tomorrow.`,
      });
    }
    const expiresAt = addSeconds(at, invitationSeconds);
    const { token, tokenHash } = await openLink(tx, { email: recipient, at, expiresAt });
    const invitation = { merchantId, email: recipient, role, invitedBy: actor.id, at, expiresAt };
    const id = await insertMerchantInvitation(tx.sql, { ...invitation, id: newId("inv"), tokenHash });
    if (id === null) {
      throw emailRefusal("already_invited", "This person has an open invitation. Send it again instead.");
    }
    const inviter = await findMember(tx.sql, merchantId, actor.id);
    const content = invitationMail(deps.config, { merchant, inviter, role, token, expiresAt });
    await queueMail(deps, tx.sql, { recipient, content, obsoleteAfter: expiresAt, requestId });
    await appendAudit(tx.sql, {
      at,
      actor,
      requestId,
      subjectId: merchantId,
      action: "merchant.member_invited",
      data: { invitation_id: id, role },
    });
    return { invitationId: id };
  });

const emailRefusal = (code: string, message: string): DomainError =>
  new DomainError("conflict", { code, message, errors: [{ pointer: "/email", detail: message }] });
