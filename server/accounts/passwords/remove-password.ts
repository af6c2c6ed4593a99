import { findPasswordHash } from "../../data/accounts/accounts.ts";
import { savePasswordHash } from "../../data/accounts/credentials.ts";
import { deleteEmailChangeOfOthers } from "../../data/accounts/email-changes.ts";
import { endPasswordResets } from "../../data/accounts/password-resets.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { type AccountReader, queueSecurityMail } from "../notices/queue-security-mail.ts";
import { lockAccountOfSession } from "../sessions/lock-account-of-session.ts";
import { rememberBrowser } from "../sessions/remember-browser.ts";

type Removal = { account: AccountReader; sessionId: string; cookieHeader: string | null; requestId: string };

/**
 * Removes the password of an account that has a passkey, and informs its owner by e-mail.
 * @returns the cookie that keeps this browser known to the account. @throws DomainError session_not_found,
 *   no_password, passkey_needed.
 */
export const removePassword = (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { account, sessionId, cookieHeader, requestId }: Removal,
): Promise<{ knownBrowserCookie: string }> =>
  deps.db.transaction(async (tx) => {
    const now = deps.clock.now();
    await lockAccountOfSession(tx.sql, { accountId: account.id, sessionId, now });
    if ((await findPasswordHash(tx, account.id)) === null) {
      throw new DomainError("conflict", { code: "no_password", message: "Your account has no password." });
    }
    if ((await tx.passkey.count({ where: { accountId: account.id } })) === 0) {
      throw new DomainError("conflict", {
        code: "passkey_needed",
        message: "Add a passkey first. Without one, you couldn’t sign in any more.",
      });
    }
    await savePasswordHash(tx, account.id, null);
    await endPasswordResets(tx.sql, account.id, now);
    await deleteEmailChangeOfOthers(tx, { accountId: account.id, sessionId });
    const actor = { kind: "payer", id: account.id } as const;
    await appendAudit(tx.sql, { at: now, actor, action: "password.removed", subjectId: account.id, requestId });
    const event = { kind: "password_changed", change: "removed" } as const;
    await queueSecurityMail(deps, tx, { account, event, requestId });
    const marked = { id: account.id, passwordHash: null };
    return { knownBrowserCookie: rememberBrowser(deps, { account: marked, cookieHeader }) };
  });
