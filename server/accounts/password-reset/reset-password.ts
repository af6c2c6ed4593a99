import { lockAccount } from "../../data/accounts/accounts.ts";
import { markEmailVerified, revokeSessionsOfAccount, savePasswordHash } from "../../data/accounts/credentials.ts";
import { deleteEmailChange } from "../../data/accounts/email-changes.ts";
import { consumePasswordReset, endPasswordResets, findResetAccount } from "../../data/accounts/password-resets.ts";
import { deleteRecoveryCodes } from "../../data/accounts/recovery-codes.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Tx } from "../../data/client.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { sha256Base64url } from "../../kernel/crypto/hash.ts";
import { DomainError } from "../../kernel/errors.ts";
import { assertNewPassword } from "../passwords/assert-new-password.ts";
import { passwordAcr } from "../sessions/sessions.ts";
import { type SignIn, startSession } from "../sessions/start-session.ts";
import { hashPassword } from "../sign-in/passwords.ts";

type ResetDeps = Pick<Deps, "db" | "clock" | "config" | "places">;

/**
 * Sets a new password with the token of a reset link, ends all sessions and recovery codes of the account, and signs
 * this browser in. The owner is informed by e-mail. At most one caller per token succeeds. If the password breaks a
 * rule, the token can still be used.
 * @throws DomainError reset_link_gone, or the errors of `assertNewPassword`.
 */
export const resetPassword = async (
  deps: ResetDeps,
  input: { token: string; password: string; cookieHeader: string | null; info: RequestInfo },
): Promise<SignIn> => {
  const { token, password, cookieHeader, info } = input;
  const tokenHash = sha256Base64url(token);
  const account = await findResetAccount(deps.db, { tokenHash, now: deps.clock.now() });
  if (account === null || (account.isDemo && !deps.config.isLoopback)) throw resetLinkRefusal();
  await assertNewPassword(password, account.email);
  const passwordHash = await hashPassword(password);
  return deps.db.transaction(async (tx) => {
    // Locks the account's row before the link's row. All other changes of an account use the same order, so two links
    // of one account can't cause a deadlock.
    await lockAccount(tx.sql, account.id);
    const accountId = await consumePasswordReset(tx.sql, tokenHash, deps.clock.now());
    if (accountId === null) throw resetLinkRefusal();
    await replacePassword(deps, tx, { accountId, passwordHash, requestId: info.requestId });
    const notice = { kind: "password_changed", change: "reset" } as const;
    const session = { accountId, acr: passwordAcr, cookieHeader, info };
    return startSession(deps, tx, { ...session, outcome: "reset", notice });
  });
};

const replacePassword = async (
  { clock }: ResetDeps,
  tx: Tx,
  { accountId, passwordHash, requestId }: { accountId: string; passwordHash: string; requestId: string },
): Promise<void> => {
  const now = clock.now();
  await savePasswordHash(tx, accountId, passwordHash);
  await markEmailVerified(tx, accountId, now);
  await endPasswordResets(tx.sql, accountId, now);
  // If someone else began a change of the e-mail address, it must not complete after the reset.
  await deleteEmailChange(tx, accountId);
  await deleteRecoveryCodes(tx, accountId);
  const ended = await revokeSessionsOfAccount(tx, { accountId, keptId: null, now });
  await appendAudit(tx.sql, {
    at: now,
    actor: { kind: "payer", id: accountId },
    action: "password.reset",
    subjectId: accountId,
    requestId,
    data: { ended_sessions: ended.length },
  });
};

const resetLinkRefusal = () =>
  new DomainError("conflict", {
    code: "reset_link_gone",
    message: "This link expired or was already used, or your password or e-mail address changed. Request a new one.",
  });
