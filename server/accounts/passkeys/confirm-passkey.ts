import { giveBackSignInAttempts } from "../../data/accounts/accounts.ts";
import type { Deps, RequestInfo } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { renewProof } from "../sessions/renew-proof.ts";
import { passkeyAcr } from "../sessions/sessions.ts";
import { takeStepUpAttempt } from "../sign-in/sign-in-attempts.ts";
import type { Assertion } from "./passkey.wire.ts";
import { runCeremony } from "./passkey-ceremony.ts";
import { provePasskey } from "./prove-passkey.ts";

/**
 * Renews the proof of identity of a session with a passkey, so that a risky action is allowed. Attempts are limited per
 * session.
 * @throws DomainError passkey_refused, passkey_challenge_gone, too_many_attempts, session_not_found.
 */
export const confirmPasskey = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  input: { account: { id: string }; sessionId: string; assertion: Assertion; info: RequestInfo },
): Promise<void> => {
  const { account, sessionId, assertion, info } = input;
  const taken = await takeStepUpAttempt(deps, { accountId: account.id, sessionId });
  const { clientDataJSON: clientDataJson } = assertion.response;
  await runCeremony(deps, { purpose: "confirm", sessionId, clientDataJson }, async (tx, challenge) => {
    const session = { accountId: account.id, requestId: info.requestId };
    const accountId = await provePasskey(deps, tx, { assertion, challenge, ...session });
    return accountId === null ? passkeyRefusal() : renewProof(deps, tx, { ...session, sessionId, acr: passkeyAcr });
  });
  await giveBackSignInAttempts(deps.db.sql, taken);
};

const passkeyRefusal = () =>
  new DomainError("forbidden", {
    code: "passkey_refused",
    message: "This passkey isn’t registered for your account. Try another one or your password.",
  });
