import { findPasswordHash, lockAccount } from "../../data/accounts/accounts.ts";
import { savePasswordHash } from "../../data/accounts/credentials.ts";
import { endPasswordResets } from "../../data/accounts/password-resets.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { type AccountReader, queueSecurityMail } from "../notices/queue-security-mail.ts";
import { rememberBrowser } from "../sessions/remember-browser.ts";

/**
 * Removes the password of an account that has a passkey, and informs its owner by e-mail.
 * @returns the cookie that keeps this browser known to the account. @throws DomainError no_password, passkey_needed.
 */
export const removePassword = (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { account, cookieHeader, requestId }: { account: AccountReader; cookieHeader: string | null; requestId: string },
): Promise<{ knownBrowserCookie: string }> =>
  deps.db.transaction(async (tx) => {
    const now = deps.clock.now();
    await lockAccount(tx.sql, account.id);
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
    const actor = { kind: "payer", id: account.id } as const;
    await appendAudit(tx.sql, { at: now, actor, action: "password.removed", subjectId: account.id, requestId });
    const event = { kind: "password_changed", change: "removed" } as const;
    await queueSecurityMail(deps, tx, { account, event, requestId });
    const marked = { id: account.id, passwordHash: null };
    return { knownBrowserCookie: rememberBrowser(deps, { account: marked, cookieHeader }) };
  });
