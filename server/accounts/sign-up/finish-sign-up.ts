import { insertPasskey } from "../../data/accounts/passkeys.ts";
import { markSignUpCompleted, type PendingSignUp } from "../../data/accounts/pending-sign-ups.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Tx } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { invalidPasskeyRefusal, knownPasskeyRefusal } from "../passkeys/add-passkey.ts";
import type { Attestation } from "../passkeys/passkey.wire.ts";
import { runCeremony } from "../passkeys/passkey-ceremony.ts";
import { maxPasskeys, verifyAttestation } from "../passkeys/passkeys.ts";
import { checkNewPassword } from "../passwords/check-new-password.ts";
import { passkeyAcr, passwordAcr } from "../sessions/sessions.ts";
import { hashPassword } from "../sign-in/passwords.ts";
import { type BrowserRequest, openFirstSession, type SignedUp } from "./advance-sign-up.ts";
import { getSignUpForCredential } from "./begin-sign-up-passkey.ts";
import { createAccount } from "./create-account.ts";

type SignUpDeps = Pick<Deps, "db" | "clock" | "config" | "places">;

/**
 * Creates the account with its first passkey and opens a session, in one transaction.
 * @throws DomainError sign_up_gone, sign_up_not_ready, address_taken, passkey_not_made, passkey_challenge_gone,
 *   passkey_known.
 */
export const finishSignUpByPasskey = async (
  deps: SignUpDeps,
  { attestation, name, ...request }: BrowserRequest & { attestation: Attestation; name: string },
): Promise<SignedUp> => {
  const pending = await getSignUpForCredential(deps, request.cookieHeader);
  const { clientDataJSON: clientDataJson, transports } = attestation.response;
  const scope = { purpose: "add", sessionId: pending.id, clientDataJson } as const;
  return runCeremony(deps, scope, async (tx, challenge) => {
    const credential = await verifyAttestation(deps.config, attestation, challenge);
    if (!credential) return invalidPasskeyRefusal();
    const { requestId } = request.info;
    const now = deps.clock.now();
    if (!(await createAccount(deps, tx, { pending, passwordHash: null, requestId }))) {
      await markSignUpCompleted(tx.sql, pending.id, now);
      return takenRefusal();
    }
    const { accountId } = pending;
    const passkey = { ...credential, id: newId("psk"), accountId, transports, name, createdAt: now };
    const outcome = await insertPasskey(tx, { ...passkey, counter: BigInt(credential.counter) }, maxPasskeys);
    // Throwing an error rolls the transaction back, so that the account isn't created either.
    if (outcome !== "added") throw knownPasskeyRefusal();
    const actor = { kind: "payer", id: accountId } as const;
    await appendAudit(tx.sql, { at: now, actor, action: "passkey.added", subjectId: passkey.id, requestId });
    return openOrRefuse(deps, tx, { ...request, pending, acr: passkeyAcr });
  });
};

/**
 * Creates the account with a password, for a person who chose a passkey and can't create one.
 * @throws DomainError sign_up_gone, sign_up_not_ready, address_taken, or the code of a PasswordProblem.
 */
export const finishSignUpByPassword = async (
  deps: SignUpDeps,
  { password, ...request }: BrowserRequest & { password: string },
): Promise<SignedUp> => {
  const pending = await getSignUpForCredential(deps, request.cookieHeader);
  const problem = await checkNewPassword(password, pending.email);
  if (problem) throw new DomainError("invalid", { code: problem, message: "This password can’t be used." });
  const passwordHash = await hashPassword(password);
  const outcome = await deps.db.transaction(async (tx) => {
    const { requestId } = request.info;
    if (await createAccount(deps, tx, { pending, passwordHash, requestId })) {
      return openOrRefuse(deps, tx, { ...request, pending, acr: passwordAcr });
    }
    await markSignUpCompleted(tx.sql, pending.id, deps.clock.now());
    return null;
  });
  if (outcome === null) throw takenRefusal();
  return outcome;
};

const openOrRefuse = async (
  deps: SignUpDeps,
  tx: Tx,
  input: BrowserRequest & { pending: PendingSignUp; acr: string },
): Promise<SignedUp> => {
  const signedUp = await openFirstSession(deps, tx, input);
  if (!signedUp) throw takenRefusal();
  return signedUp;
};

/** The person has proved the address, so this reveals nothing to others. */
const takenRefusal = (): DomainError =>
  new DomainError("conflict", { code: "address_taken", message: "This address already has an account. Sign in." });
