import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { countOpenInvitations, insertMerchantInvitation } from "../../data/merchants/invitations.ts";
import { hasMemberWithEmail } from "../../data/merchants/members.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { tidyEmail } from "../../kernel/text/email-address.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { getLockedMerchant } from "../get-locked-merchant.ts";
import type { InvitedRole } from "../rules/team-changes.ts";
import { getManager } from "./get-member.ts";
import { invitationSeconds } from "./invitation-mail.ts";
import { createInvitationLink } from "./open-link.ts";
import { refuseInvitations } from "./refuse-invitations.ts";
import { sendInvitationMail } from "./send-invitation-mail.ts";

type Input = { merchantId: string; email: string; role: InvitedRole; actor: Actor; requestId: string };

const maxOpenInvitations = 50;

/**
 * Invites a person by e-mail. The answer is the same whether or not the address has an account.
 * @throws DomainError managers_only, merchant_declined, merchant_suspended, already_member, already_invited,
 *   too_many_invitations, too_many_invitation_emails.
 */
export const inviteMember = (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { merchantId, email, role, actor, requestId }: Input,
): Promise<{ invitationId: string }> =>
  deps.db.transaction(async (tx) => {
    const merchant = await getLockedMerchant(tx.sql, merchantId);
    if (actor.kind === "merchant") await getManager(tx.sql, { merchantId, accountId: actor.id });
    refuseInvitations(merchant);
    const [at, recipient] = [deps.clock.now(), tidyEmail(email)];
    if (await hasMemberWithEmail(tx.sql, merchantId, recipient)) {
      throw emailRefusal("already_member", "This person is already a member of the team.");
    }
    if ((await countOpenInvitations(tx.sql, merchantId)) >= maxOpenInvitations) throw tooManyOpen();
    const expiresAt = addSeconds(at, invitationSeconds);
    const { token, tokenHash } = await createInvitationLink(tx, { email: recipient, at, expiresAt });
    const invitation = { merchantId, email: recipient, role, invitedBy: actor.id, at, expiresAt };
    const id = await insertMerchantInvitation(tx.sql, { ...invitation, id: newId("inv"), tokenHash });
    if (id === null) {
      throw emailRefusal("already_invited", "This person has an open invitation. Send it again instead.");
    }
    const link = { email: recipient, role, token, tokenHash, at, expiresAt };
    await sendInvitationMail(deps, tx, { ...link, merchant, accountId: actor.id, requestId });
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

const tooManyOpen = (): DomainError =>
  new DomainError("rate_limited", {
    code: "too_many_invitations",
    message: `A team can have ${maxOpenInvitations} open invitations. Cancel one first.`,
  });

const emailRefusal = (code: string, message: string): DomainError =>
  new DomainError("conflict", { code, message, errors: [{ pointer: "/email", detail: message }] });
