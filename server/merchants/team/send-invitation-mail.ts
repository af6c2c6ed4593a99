import type { Tx } from "../../data/client.ts";
import { takeInvitationEmail } from "../../data/merchants/invitation-emails.ts";
import { findMember, type MemberRole } from "../../data/merchants/members.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";
import { invitationMail } from "./invitation-mail.ts";

type Link = { email: string; role: MemberRole; token: string; tokenHash: string; at: Date; expiresAt: Date };
type Sender = { merchant: { id: string; displayName: string }; accountId: string; requestId: string };

const daySeconds = 24 * 3600;
/** Maximum per team in 24 hours, including e-mails that are sent again. It prevents spam in a merchant's name. */
const maxEmails = 50;

/**
 * E-mails the link of an invitation. Call it in a transaction that locked the merchant.
 * @throws DomainError too_many_invitation_emails.
 */
export const sendInvitationMail = async (
  deps: Pick<Deps, "clock" | "config">,
  { sql }: Pick<Tx, "sql">,
  { merchant, accountId, requestId, ...link }: Link & Sender,
): Promise<void> => {
  const { email: recipient, role, token, tokenHash, at, expiresAt } = link;
  const since = addSeconds(at, -daySeconds);
  if (!(await takeInvitationEmail(sql, { merchantId: merchant.id, tokenHash, at, since, limit: maxEmails }))) {
    throw new DomainError("rate_limited", {
      code: "too_many_invitation_emails",
      message: `A team can send ${maxEmails} invitations by e-mail in 24 hours, including those that are sent again. Try again tomorrow.`,
    });
  }
  const inviter = await findMember(sql, merchant.id, accountId);
  const content = invitationMail(deps.config, { merchant, inviter, role, token, expiresAt });
  const mail = { recipient, content, obsoleteAfter: expiresAt, aboutAccountId: accountId, requestId };
  await queueMail(deps, sql, mail);
};
