import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { listOpenInvitations, renewInvitation } from "../../data/merchants/invitations.ts";
import { findMember } from "../../data/merchants/members.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";
import { getLockedMerchant } from "../get-locked-merchant.ts";
import { invitationNotFound } from "./cancel-invitation.ts";
import { invitationMail, invitationSeconds } from "./invitation-mail.ts";
import { openLink } from "./open-link.ts";

type Input = { merchantId: string; invitationId: string; actor: Actor; requestId: string };

const pauseSeconds = 60;
const daySeconds = 24 * 3600;
/** Per invitation and 24 hours, so that no mailbox is filled with invitations. */
const mostResends = 5;

/**
 * Sends a new link of an open invitation, valid for seven days. The old link stops working.
 * @throws DomainError not_found, sent_recently, too_many_resends.
 */
export const resendInvitation = (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { merchantId, invitationId, actor, requestId }: Input,
): Promise<void> =>
  deps.db.transaction(async (tx) => {
    const merchant = await getLockedMerchant(tx.sql, merchantId);
    const at = deps.clock.now();
    const open = (await listOpenInvitations(tx.sql, merchantId)).find(({ id }) => id === invitationId);
    if (!open) throw invitationNotFound();
    const expiresAt = addSeconds(at, invitationSeconds);
    const { token, tokenHash } = await openLink(tx, { email: open.email, at, expiresAt });
    const renewed = await renewInvitation(tx.sql, {
      id: invitationId,
      merchantId,
      tokenHash,
      at,
      expiresAt,
      sentBefore: addSeconds(at, -pauseSeconds),
      mostResends,
      dayBefore: addSeconds(at, -daySeconds),
      invitedBy: actor.id,
    });
    if (!renewed) throw open.sentAt > addSeconds(at, -pauseSeconds) ? sentRecently() : tooManyResends();
    const inviter = await findMember(tx.sql, merchantId, actor.id);
    const content = invitationMail(deps.config, { merchant, inviter, role: renewed.role, token, expiresAt });
    await queueMail(deps, tx.sql, { recipient: renewed.email, content, obsoleteAfter: expiresAt, requestId });
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
    message: `This invitation was sent again ${mostResends} times within 24 hours. Try again tomorrow.`,
  });
