import { giveBackSignInAttempts, holdPassword } from "../../data/accounts/accounts.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { tidyEmail } from "../../kernel/text/email-address.ts";
import { recordSignIn } from "../history/record-sign-in.ts";
import { passwordAcr } from "../sessions/sessions.ts";
import { type SignIn, startSession } from "../sessions/start-session.ts";
import { findUsableAccount } from "./find-usable-account.ts";
import { verifyPassword } from "./passwords.ts";
import { proveUnverifiedSignUp } from "./prove-unverified-sign-up.ts";
import { takeSignInAttempts } from "./sign-in-attempts.ts";

/** `unverified`: the person hasn't entered the code of the sign-up. `signUpCookie` opens the page for this code. */
export type SignInOutcome = ({ kind: "signed_in" } & SignIn) | { kind: "unverified"; signUpCookie: string };

/**
 * Verifies e-mail and password and opens a session. The browser's previous session ends (rotation). An unknown account
 * and a wrong password get the same answer after the same time. A sign-up whose address isn't verified leads to its
 * code page.
 * @throws DomainError sign_in_refused, too_many_attempts.
 */
export const signIn = async (
  deps: Pick<Deps, "db" | "clock" | "config" | "places">,
  input: { email: string; password: string; returnTo?: string; cookieHeader: string | null; info: RequestInfo },
): Promise<SignInOutcome> => {
  const now = deps.clock.now();
  const email = tidyEmail(input.email);
  const account = await findUsableAccount(deps, email);
  const { cookieHeader, info } = input;
  const taken = await takeSignInAttempts(deps, { claimed: email, account, cookieHeader, info });
  const { password, returnTo = "/wallet" } = input;
  // Both the account and the sign-ups are always checked, because the time and the answer must not reveal whether the
  // address has an account.
  const [isProved, signUpCookie] = await Promise.all([
    verifyPassword(account?.passwordHash ?? null, password),
    proveUnverifiedSignUp(deps, { email, password, cookieHeader, returnTo }),
  ]);
  const started = account && isProved ? await openVerified(deps, { account, cookieHeader, info }) : null;
  if (started || signUpCookie !== null) await giveBackSignInAttempts(deps.db.sql, taken);
  if (started) return { kind: "signed_in", ...started };
  if (signUpCookie !== null) return { kind: "unverified", signUpCookie };
  await appendAudit(deps.db.sql, {
    at: now,
    actor: { kind: "anonymous", id: "-" },
    action: "session.refused",
    subjectId: account?.id ?? "-",
    requestId: info.requestId,
  });
  await recordSignIn(deps, deps.db.sql, { accountId: account?.id ?? null, outcome: "wrong_password", info });
  throw new DomainError("unauthenticated", {
    code: "sign_in_refused",
    message: "E-mail and password don’t match an account. Check both, then try again.",
  });
};

type Verified = {
  account: { id: string; passwordHash: string | null };
  cookieHeader: string | null;
  info: RequestInfo;
};

/**
 * @returns null if the password was changed after it was verified. If a reset changed it, all sessions were ended, so
 *   no session may begin with the earlier password.
 */
const openVerified = (
  deps: Pick<Deps, "db" | "clock" | "config" | "places">,
  { account, cookieHeader, info }: Verified,
): Promise<SignIn | null> =>
  deps.db.transaction(async (tx) => {
    const { id: accountId, passwordHash } = account;
    if (passwordHash === null || !(await holdPassword(tx.sql, { accountId, passwordHash }))) return null;
    return startSession(deps, tx, { accountId, acr: passwordAcr, cookieHeader, info });
  });
