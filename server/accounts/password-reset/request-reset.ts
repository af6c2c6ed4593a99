import { insertPasswordReset } from "../../data/accounts/password-resets.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { newSecret } from "../../kernel/ids.ts";
import { isEmailAddress, tidyEmail } from "../../kernel/text/email-address.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";
import { findUsableAccount } from "../sign-in/find-usable-account.ts";
import { takeResetAttempts } from "../sign-in/sign-in-attempts.ts";

const resetSeconds = 30 * 60;

type ResetRequest = {
  email: string;
  /** the page after the reset, a result of `safeReturnTo` */
  returnTo: string;
  /** the locale of the page, for an e-mail to an address without an account */
  locale: string;
  cookieHeader: string | null;
  info: RequestInfo;
};

/**
 * Sends an e-mail with a link to choose a new password. If the address has no account, the e-mail says so. Requests
 * with and without an account write the same rows and take the same time, so only the owner of the address learns
 * whether it has an account.
 * @throws DomainError too_many_attempts.
 */
export const requestReset = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { email: typed, returnTo, locale, cookieHeader, info }: ResetRequest,
): Promise<void> => {
  const email = tidyEmail(typed);
  const found = await findUsableAccount(deps, email);
  const account = found?.isProbe ? null : found;
  await takeResetAttempts(deps, { claimed: email, account, cookieHeader, info });
  if (!isEmailAddress(email)) return;
  const token = newSecret();
  const createdAt = deps.clock.now();
  const expiresAt = addSeconds(createdAt, resetSeconds);
  const { walletUrl } = deps.config;
  const reader = account ?? { locale, timeZone: "UTC" };
  await deps.db.transaction(async (tx) => {
    const accountId = account?.id ?? null;
    await insertPasswordReset(tx, { tokenHash: sha256Base64url(token), accountId, createdAt, expiresAt });
    await appendAudit(tx.sql, {
      at: createdAt,
      actor: { kind: "anonymous", id: "-" },
      action: "password_reset.requested",
      subjectId: accountId ?? "-",
      requestId: info.requestId,
    });
    const to = { locale: reader.locale, timeZone: reader.timeZone };
    const query = new URLSearchParams({ token, return_to: returnTo });
    await queueMail(deps, tx.sql, {
      recipient: email,
      content: account
        ? { kind: "password_reset", resetUrl: `${walletUrl}/reset/password?${query}`, expiresAt, reader: to }
        : { kind: "reset_unknown", signUpUrl: `${walletUrl}/sign-up`, reader: to },
      obsoleteAfter: expiresAt,
      requestId: info.requestId,
    });
  });
};
