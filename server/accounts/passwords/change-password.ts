import { findPasswordHash } from "../../data/accounts/accounts.ts";
import { revokeSessionsOfAccount, savePasswordHash } from "../../data/accounts/credentials.ts";
import { deleteEmailChangeOfOthers } from "../../data/accounts/email-changes.ts";
import { endPasswordResets } from "../../data/accounts/password-resets.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import { type AccountReader, queueSecurityMail } from "../notices/queue-security-mail.ts";
import { lockAccountOfSession } from "../sessions/lock-account-of-session.ts";
import { rememberBrowser } from "../sessions/remember-browser.ts";
import { hashPassword } from "../sign-in/passwords.ts";
import { assertNewPassword } from "./assert-new-password.ts";

type Change = {
  account: AccountReader;
  sessionId: string;
  cookieHeader: string | null;
  password: string;
  /** ends all sessions except the one of this request */
  endsOthers: boolean;
  requestId: string;
};

/**
 * Sets or changes the password of an account, and informs its owner by e-mail. Open reset links stop working, and all
 * other browsers become unknown to the account.
 * @returns the number of sessions that ended, and the cookie that keeps this browser known to the account.
 * @throws the errors of `assertNewPassword`; DomainError session_not_found.
 */
export const changePassword = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { account, sessionId, cookieHeader, password, endsOthers, requestId }: Change,
): Promise<{ endedSessions: number; knownBrowserCookie: string }> => {
  await assertNewPassword(password, account.email);
  const passwordHash = await hashPassword(password);
  return deps.db.transaction(async (tx) => {
    const now = deps.clock.now();
    await lockAccountOfSession(tx.sql, { accountId: account.id, sessionId, now });
    const isFirst = (await findPasswordHash(tx, account.id)) === null;
    await savePasswordHash(tx, account.id, passwordHash);
    await endPasswordResets(tx.sql, account.id, now);
    // A change of the e-mail address that another session began must not complete after the password change.
    await deleteEmailChangeOfOthers(tx, { accountId: account.id, sessionId });
    const ended = endsOthers
      ? await revokeSessionsOfAccount(tx, { accountId: account.id, keptId: sessionId, now })
      : [];
    await appendAudit(tx.sql, {
      at: now,
      actor: { kind: "payer", id: account.id },
      action: isFirst ? "password.set" : "password.changed",
      subjectId: account.id,
      requestId,
      data: { ended_sessions: ended.length },
    });
    const event = { kind: "password_changed", change: isFirst ? "set" : "changed" } as const;
    await queueSecurityMail(deps, tx, { account, event, requestId });
    const marked = { id: account.id, passwordHash };
    return {
      endedSessions: ended.length,
      knownBrowserCookie: rememberBrowser(deps, { account: marked, cookieHeader }),
    };
  });
};
