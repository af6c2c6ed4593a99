import { inviteToSignUp } from "../../accounts/sign-up/invite-to-sign-up.ts";
import { findAccountByEmail } from "../../data/accounts/accounts.ts";
import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { isEmailAddress, tidyEmail } from "../../kernel/text/email-address.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";

const linkSeconds = 7 * 24 * 3600;
const registration = "/merchant/new";

/**
 * Invites a person by e-mail to register a merchant. The link also permits the sign-up while SIGN_UP=invite
 * (docs/spec/portal.md, Start selling).
 * @throws DomainError email_invalid, sign_up_closed for a person without an account.
 */
export const inviteMerchant = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { email, actor, requestId, reason }: { email: string; actor: Actor; requestId: string; reason: string },
): Promise<{ expiresAt: Date }> => {
  const recipient = tidyEmail(email);
  if (!isEmailAddress(recipient)) {
    throw emailRefusal("email_invalid", "Enter one e-mail address, for example name@example.com.");
  }
  const account = await findAccountByEmail(deps.db, recipient);
  const hasAccount = account !== null;
  if (!hasAccount && deps.config.signUp === "closed") {
    throw emailRefusal(
      "sign_up_closed",
      "This person has no account, and sign-up is closed. To invite them, start the service with SIGN_UP=invite.",
    );
  }
  const at = deps.clock.now();
  const expiresAt = addSeconds(at, linkSeconds);
  await deps.db.transaction(async (tx) => {
    const token = hasAccount ? null : await inviteToSignUp(deps, tx, { email: recipient, expiresAt });
    const query = token === null ? null : new URLSearchParams({ invitation: token, return_to: registration });
    const invitationUrl = `${deps.config.walletUrl}${query === null ? registration : `/sign-up?${query}`}`;
    const timeZone = account?.timeZone ?? "UTC";
    const content = { kind: "merchant_invitation", invitationUrl, expiresAt, timeZone } as const;
    const mailId = await queueMail(deps, tx.sql, { recipient, content, obsoleteAfter: expiresAt, requestId });
    await appendAudit(tx.sql, {
      at,
      actor,
      requestId,
      action: "merchant.invited",
      subjectId: mailId,
      data: { reason },
    });
  });
  return { expiresAt };
};

const emailRefusal = (code: "email_invalid" | "sign_up_closed", message: string): DomainError =>
  new DomainError(code === "email_invalid" ? "invalid" : "conflict", {
    code,
    message,
    errors: [{ pointer: "/email", detail: message }],
  });
