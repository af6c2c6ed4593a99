import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { listOpenInvitations, renewInvitation } from "../../data/merchants/invitations.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { getLockedMerchant } from "../get-locked-merchant.ts";
import { invitationNotFound } from "./cancel-invitation.ts";
import { getManager } from "./get-member.ts";
import { invitationSeconds } from "./invitation-mail.ts";
import { createInvitationLink } from "./open-link.ts";
import { refuseInvitations } from "./refuse-invitations.ts";
import { sendInvitationMail } from "./send-invitation-mail.ts";

type Input = { merchantId: string; invitationId: string; actor: Actor; requestId: string };

const pauseSeconds = 60;
const daySeconds = 24 * 3600;
/** Maximum per invitation in 24 hours, so that no mailbox is filled with invitations. */
const maxResends = 5;

/**
 * Sends a new link of an open invitation, valid for seven days. The old link stops working.
 * @throws DomainError managers_only, not_found, merchant_declined, merchant_suspended, sent_recently, too_many_resends,
 *   too_many_invitation_emails.
 */
export const resendInvitation = (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { merchantId, invitationId, actor, requestId }: Input,
): Promise<void> =>
  deps.db.transaction(async (tx) => {
    const merchant = await getLockedMerchant(tx.sql, merchantId);
    if (actor.kind === "merchant") await getManager(tx.sql, { merchantId, accountId: actor.id });
    refuseInvitations(merchant);
    const at = deps.clock.now();
    const open = (await listOpenInvitations(tx.sql, merchantId)).find(({ id }) => id === invitationId);
    if (!open) throw invitationNotFound();
    const expiresAt = addSeconds(at, invitationSeconds);
    const { token, tokenHash } = await createInvitationLink(tx, { email: open.email, at, expiresAt });
    const renewed = await renewInvitation(tx.sql, {
      id: invitationId,
      merchantId,
      tokenHash,
      at,
      expiresAt,
      sentBefore: addSeconds(at, -pauseSeconds),
      maxResends,
      dayBefore: addSeconds(at, -daySeconds),
      invitedBy: actor.id,
    });
    if (!renewed) throw open.sentAt > addSeconds(at, -pauseSeconds) ? sentRecently() : tooManyResends();
    const link = { email: renewed.email, role: renewed.role, token, tokenHash, at, expiresAt };
    await sendInvitationMail(deps, tx, { ...link, merchant, accountId: actor.id, requestId });
    await appendAudit(tx.sql, {
      at,
      actor,
      requestId,
      subjectId: merchantId,
      action: "merchant.invitation_resent",
      data: { invitation_id: invitationId },
    });
  });

const sentRecently = (): DomainError =>
  new DomainError("rate_limited", {
    code: "sent_recently",
    message: "The invitation was sent less than a minute ago. Wait a minute, then send it again.",
  });

const tooManyResends = (): DomainError =>
  new DomainError("rate_limited", {
    code: "too_many_resends",
    message: `This invitation was sent again ${maxResends} times within 24 hours. Try again tomorrow.`,
  });
