import { findAccountByEmail, giveBackSignInAttempts } from "../../data/accounts/accounts.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { passwordAcr } from "../sessions/sessions.ts";
import { type SignIn, startSession } from "../sessions/start-session.ts";
import { verifyPassword } from "./passwords.ts";
import { takeSignInAttempts } from "./sign-in-attempts.ts";

/**
 * Verifies e-mail and password and opens a session. The browser's previous session ends (rotation). An unknown account and a wrong
 * password get the same answer after the same time.
 * @throws DomainError sign_in_refused, too_many_attempts.
 */
export const signIn = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  input: { email: string; password: string; cookieHeader: string | null; info: RequestInfo },
): Promise<SignIn> => {
  const now = deps.clock.now();
  const email = input.email.trim().toLowerCase();
  const account = await findUsableAccount(deps, email);
  const { cookieHeader, info } = input;
  const taken = await takeSignInAttempts(deps, { claimed: email, account, cookieHeader, info });
  const isProved = await verifyPassword(account?.passwordHash ?? null, input.password);
  if (!account || !isProved) {
    await appendAudit(deps.db.sql, {
      at: now,
      actor: { kind: "anonymous", id: "-" },
      action: "session.refused",
      subjectId: account?.id ?? "-",
      requestId: info.requestId,
    });
    throw new DomainError("unauthenticated", {
      code: "sign_in_refused",
      message: "E-mail and password don’t match an account. Check both, then try again.",
    });
  }
  await giveBackSignInAttempts(deps.db.sql, taken);
  const session = { accountId: account.id, acr: passwordAcr, cookieHeader, info };
  return deps.db.transaction((tx) => startSession(deps, tx, session));
};

const findUsableAccount = async (deps: Pick<Deps, "db" | "config">, email: string) => {
  const account = await findAccountByEmail(deps.db, email);
  return account !== null && (!account.isDemo || deps.config.isLoopback) ? account : null;
};
