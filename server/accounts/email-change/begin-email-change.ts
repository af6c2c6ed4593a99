import { findAccountByEmail } from "../../data/accounts/accounts.ts";
import { saveEmailChange } from "../../data/accounts/email-changes.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId, newSecret } from "../../kernel/ids.ts";
import { isEmailAddress, tidyEmail } from "../../kernel/text/email-address.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { queueMail } from "../../platform/mail/queue-mail.ts";
import { mailedCodeMac, mailedCodeSeconds, mailedCodeTries, newMailedCode } from "../mailed-code.ts";
import type { AccountReader } from "../notices/queue-security-mail.ts";
import { emailChangeLimit } from "../rules/sign-in-limits.ts";
import { lockAccountOfSession } from "../sessions/lock-account-of-session.ts";
import { takeAttempts } from "../sign-in/sign-in-attempts.ts";

type Begin = { account: AccountReader; sessionId: string; email: string; requestId: string };

/**
 * Sends a code and a link to a new address. If the address belongs to another account, the mail says this, and contains
 * no code and no link to confirm. Everything else is the same in both cases, so that the answer doesn't reveal whether
 * the address has an account. The change ends with the session.
 * @throws DomainError email_invalid, email_unchanged, too_many_attempts, session_not_found.
 */
export const beginEmailChange = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { account, sessionId, email: typed, requestId }: Begin,
): Promise<{ email: string; expiresAt: Date }> => {
  const email = readNewAddress(typed, account.email);
  await takeAttempts(deps, [emailChangeLimit(account.id)]);
  const { masterKey, walletUrl } = deps.config;
  const createdAt = deps.clock.now();
  const expiresAt = addSeconds(createdAt, mailedCodeSeconds);
  const [id, code, token] = [newId("ech"), newMailedCode(), newSecret()];
  const isTaken = (await findAccountByEmail(deps.db, email)) !== null;
  const reader = { locale: account.locale, timeZone: account.timeZone };
  await deps.db.transaction(async (tx) => {
    await lockAccountOfSession(tx.sql, { accountId: account.id, sessionId, now: createdAt });
    await saveEmailChange(tx, {
      accountId: account.id,
      id,
      sessionId,
      email,
      isTaken,
      codeHash: mailedCodeMac(masterKey, { purpose: "email_change_code", id }, code),
      linkHash: sha256Base64url(token),
      triesLeft: mailedCodeTries,
      createdAt,
      expiresAt,
    });
    const actor = { kind: "payer", id: account.id } as const;
    await appendAudit(tx.sql, { at: createdAt, actor, action: "email_change.begun", subjectId: account.id, requestId });
    const confirmUrl = `${walletUrl}/email-change?${new URLSearchParams({ token })}`;
    await queueMail(deps, tx.sql, {
      recipient: email,
      content: isTaken
        ? { kind: "email_change_taken", signInUrl: `${walletUrl}/sign-in`, reader }
        : { kind: "email_change_code", code, confirmUrl, expiresAt, reader },
      obsoleteAfter: expiresAt,
      // If the address belongs to another account, the mail isn't part of this account's data.
      ...(isTaken ? {} : { formerRecipientId: account.id }),
      requestId,
    });
  });
  return { email, expiresAt };
};

const readNewAddress = (typed: string, current: string): string => {
  const email = tidyEmail(typed);
  if (!isEmailAddress(email)) throw emailRefusal("email_invalid", "Enter an e-mail address, like name@example.com.");
  if (email === current) throw emailRefusal("email_unchanged", "This is your current address. Enter a new one.");
  return email;
};

const emailRefusal = (code: string, message: string) =>
  new DomainError("unprocessable", { code, message, errors: [{ pointer: "/email", detail: message }] });
