import { findAccountByEmail, giveBackSignInAttempts, revokeSessionBySecret } from "../data/accounts.ts";
import { appendAudit } from "../data/audit.ts";
import type { Deps, RequestInfo } from "../deps.ts";
import { DomainError } from "../kernel/errors.ts";
import { sha256Base64url } from "../kernel/hash.ts";
import { verifyPassword } from "./passwords.ts";
import { readSessionCookie, sessionCookie } from "./rules/session-cookie.ts";
import { openSession, passwordAcr, sessionSeconds } from "./sessions.ts";
import { takeSignInAttempts } from "./sign-in-attempts.ts";

type SignInDeps = Pick<Deps, "db" | "clock" | "config">;

export type SignIn = { accountId: string; sessionId: string; setCookie: string };

/**
 * Proves e-mail and password and opens a session; the one that the browser held before ends (rotation).
 * Unknown account and wrong password give the same answer in the same time.
 * @throws DomainError sign_in_refused, too_many_attempts.
 */
export const signIn = async (
  deps: SignInDeps,
  input: { email: string; password: string; cookieHeader: string | null; info: RequestInfo },
): Promise<SignIn> => {
  const now = deps.clock.now();
  const email = input.email.trim().toLowerCase();
  const taken = await takeSignInAttempts(deps, email, input.info);
  const account = await findAccountByEmail(deps.db, email);
  const isUsable = account !== null && (!account.isDemo || deps.config.isLoopback);
  const isProved = await verifyPassword(isUsable ? account.passwordHash : null, input.password);
  if (!account || !isProved) {
    await appendAudit(deps.db.sql, {
      at: now,
      actor: { kind: "anonymous", id: "-" },
      action: "session.refused",
      subjectId: isUsable ? account.id : "-",
      requestId: input.info.requestId,
    });
    throw new DomainError("unauthenticated", "sign_in_refused", "E-mail and password don’t match an account.");
  }
  await giveBackSignInAttempts(deps.db.sql, taken);
  return startSession(deps, { accountId: account.id, cookieHeader: input.cookieHeader, info: input.info });
};

/** Opens a session for an account that has just proved itself, and ends the one that the browser held. */
const startSession = (
  deps: SignInDeps,
  input: { accountId: string; cookieHeader: string | null; info: RequestInfo },
): Promise<SignIn> =>
  deps.db.transaction(async (tx) => {
    const now = deps.clock.now();
    const former = readSessionCookie(deps.config.environment, input.cookieHeader);
    if (former !== null) await revokeSessionBySecret(tx, sha256Base64url(former), now);
    const session = await openSession(tx, { accountId: input.accountId, acr: passwordAcr, info: input.info, now });
    await appendAudit(tx.sql, {
      at: now,
      actor: { kind: "payer", id: input.accountId },
      action: "session.opened",
      subjectId: session.sessionId,
      requestId: input.info.requestId,
    });
    const setCookie = sessionCookie(deps.config.environment, session.secret, sessionSeconds);
    return { accountId: input.accountId, sessionId: session.sessionId, setCookie };
  });
