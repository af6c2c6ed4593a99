import { holdPassword } from "../../data/accounts/accounts.ts";
import { markSignUpCompleted, markSignUpVerified, type PendingSignUp } from "../../data/accounts/pending-sign-ups.ts";
import type { Tx } from "../../data/client.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { passwordAcr } from "../sessions/sessions.ts";
import { startSession } from "../sessions/start-session.ts";
import { createAccount } from "./create-account.ts";
import { clearedSignUpCookie } from "./rules/sign-up-cookie.ts";

export type SignedUp = { accountId: string; cookies: readonly string[]; returnTo: string };

/** The next step of a sign-up. */
export type SignUpOutcome =
  | ({ kind: "signed_in" } & SignedUp)
  /** verified: the sign-up continues in the browser that began it, not in this one */
  | { kind: "confirmed" }
  /** verified: the next step creates a passkey */
  | { kind: "credential" }
  /** the address already has an account, or the session can't be opened by this sign-up any more */
  | { kind: "sign_in"; returnTo: string };

export type BrowserRequest = { cookieHeader: string | null; info: RequestInfo };

/**
 * Call it after the address was proved by code or link. Creates the account of a sign-up with a password, and opens a
 * session in the browser of the sign-up. If calls are concurrent, one of them creates the account and one opens the
 * session.
 */
export const advanceSignUp = (
  deps: Pick<Deps, "db" | "clock" | "config" | "places">,
  pending: PendingSignUp,
  request: BrowserRequest & { isOwnBrowser: boolean },
): Promise<SignUpOutcome> =>
  deps.db.transaction(async (tx) => {
    const { passwordHash, returnTo, id } = pending;
    const isFirst = await markSignUpVerified(tx.sql, id, deps.clock.now());
    if (isFirst && passwordHash !== null) {
      const { requestId } = request.info;
      const isCreated = await createAccount(deps, tx, { pending, passwordHash, requestId });
      if (!isCreated) {
        await markSignUpCompleted(tx.sql, id, deps.clock.now());
        return { kind: "sign_in", returnTo };
      }
    }
    if (!request.isOwnBrowser) return { kind: "confirmed" };
    if (passwordHash === null) return { kind: "credential" };
    // The address may have been verified in another browser, and the password may have been reset since. The reset
    // ended the account's sessions, so the password of the sign-up must not open a new one.
    if (!(await holdPassword(tx.sql, { accountId: pending.accountId, passwordHash }))) {
      await markSignUpCompleted(tx.sql, id, deps.clock.now());
      return { kind: "sign_in", returnTo };
    }
    const signedUp = await openFirstSession(deps, tx, { pending, acr: passwordAcr, ...request });
    return signedUp ? { kind: "signed_in", ...signedUp } : { kind: "sign_in", returnTo };
  });

/** @returns null if another call of this sign-up opened the session. */
export const openFirstSession = async (
  deps: Pick<Deps, "clock" | "config" | "places">,
  tx: Tx,
  { pending, acr, cookieHeader, info }: BrowserRequest & { pending: PendingSignUp; acr: string },
): Promise<SignedUp | null> => {
  if (!(await markSignUpCompleted(tx.sql, pending.id, deps.clock.now()))) return null;
  const { accountId, returnTo } = pending;
  const session = await startSession(deps, tx, { accountId, acr, cookieHeader, info });
  const cleared = clearedSignUpCookie(deps.config.environment);
  return { accountId, returnTo, cookies: [session.setCookie, session.knownBrowserCookie, cleared] };
};

/** The browser has no sign-up, or it expired. */
export const signUpGoneRefusal = (): DomainError =>
  new DomainError("not_found", {
    code: "sign_up_gone",
    message: "This sign-up has expired. Sign up again.",
  });

/** The sign-up needs another step, for example because the address was verified in another browser. */
export const signUpStepRefusal = (): DomainError =>
  new DomainError("conflict", {
    code: "sign_up_not_ready",
    message: "This step of the sign-up isn’t available. Reload the page to continue.",
  });
