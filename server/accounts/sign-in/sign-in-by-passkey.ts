import { giveBackSignInAttempts } from "../../data/accounts/accounts.ts";
import { findPasskeyHolder } from "../../data/accounts/passkeys.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { recordSignIn } from "../history/record-sign-in.ts";
import type { Assertion } from "../passkeys/passkey.wire.ts";
import { runCeremony } from "../passkeys/passkey-ceremony.ts";
import { provePasskey } from "../passkeys/prove-passkey.ts";
import { passkeyAcr } from "../sessions/sessions.ts";
import { type SignIn, startSession } from "../sessions/start-session.ts";
import { takeSignInAttempts } from "./sign-in-attempts.ts";

/**
 * Opens a session for the account whose passkey signed a challenge of beginPasskeySignIn. Attempts are limited per
 * browser if the browser is known to the account, else per passkey and per IP address. An unknown passkey, a removed
 * one and a wrong signature get the same answer.
 * @throws DomainError passkey_refused, passkey_challenge_gone, too_many_attempts.
 */
export const signInByPasskey = async (
  deps: Pick<Deps, "db" | "clock" | "config" | "places">,
  input: { assertion: Assertion; cookieHeader: string | null; info: RequestInfo },
): Promise<SignIn> => {
  const { assertion, cookieHeader, info } = input;
  const account = await findPasskeyHolder(deps.db, assertion.id);
  const taken = await takeSignInAttempts(deps, { claimed: assertion.id, account, cookieHeader, info });
  const { clientDataJSON: clientDataJson } = assertion.response;
  const scope = { purpose: "sign_in", sessionId: null, clientDataJson } as const;
  const session = await runCeremony(deps, scope, async (tx, challenge) => {
    const { requestId } = info;
    const accountId = await provePasskey(deps, tx, { assertion, challenge, accountId: null, requestId });
    if (accountId !== null) return startSession(deps, tx, { accountId, acr: passkeyAcr, cookieHeader, info });
    await recordSignIn(deps, tx.sql, { accountId: account?.id ?? null, outcome: "passkey_refused", info });
    return passkeyRefusal();
  });
  await giveBackSignInAttempts(deps.db.sql, taken);
  return session;
};

const passkeyRefusal = () =>
  new DomainError("unauthenticated", {
    code: "passkey_refused",
    message: "This passkey isn’t registered. Sign in another way.",
  });
