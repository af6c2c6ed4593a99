import { insertPasskey } from "../../data/accounts/passkeys.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { createFirstRecoveryCodes } from "../recovery-codes/create-first-recovery-codes.ts";
import { lockAccountOfSession } from "../sessions/lock-account-of-session.ts";
import { type PasskeyOwner, queuePasskeyMail } from "./mail-passkey-change.ts";
import type { Attestation } from "./passkey.wire.ts";
import { runCeremony } from "./passkey-ceremony.ts";
import { maxPasskeys, verifyAttestation } from "./passkeys.ts";

/**
 * Stores a passkey that was created with the options of `beginAddingPasskey`, and notifies the account's owner by
 * e-mail. An account without recovery codes, used or unused, gets new ones.
 * @returns the passkey's id, and new recovery codes to be shown once, or null.
 * @throws DomainError passkey_not_made, passkey_challenge_gone, session_not_found, too_many_passkeys, passkey_known.
 */
export const addPasskey = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  input: { account: PasskeyOwner; sessionId: string; attestation: Attestation; name: string; requestId: string },
): Promise<{ passkeyId: string; recoveryCodes: string[] | null }> => {
  const { account, sessionId, attestation, name, requestId } = input;
  const { clientDataJSON: clientDataJson, transports } = attestation.response;
  return runCeremony(deps, { purpose: "add", sessionId, clientDataJson }, async (tx, challenge) => {
    const credential = await verifyAttestation(deps.config, attestation, challenge);
    if (!credential) return invalidPasskeyRefusal();
    const at = deps.clock.now();
    await lockAccountOfSession(tx.sql, { accountId: account.id, sessionId, now: at });
    const id = newId("psk");
    const passkey = { ...credential, id, accountId: account.id, transports, name, createdAt: at };
    const outcome = await insertPasskey(tx, { ...passkey, counter: BigInt(credential.counter) }, maxPasskeys);
    if (outcome !== "added") return outcome === "full" ? tooManyPasskeysRefusal() : knownPasskeyRefusal();
    const actor = { kind: "payer", id: account.id } as const;
    await appendAudit(tx.sql, { at, actor, action: "passkey.added", subjectId: id, requestId });
    await queuePasskeyMail(deps, tx, { kind: "passkey_added", account, name, requestId });
    const recoveryCodes = await createFirstRecoveryCodes(deps, tx, { accountId: account.id, requestId });
    return { passkeyId: id, recoveryCodes };
  });
};

export const invalidPasskeyRefusal = () =>
  new DomainError("invalid", {
    code: "passkey_not_made",
    message: "This passkey can’t be used. Try another device or password manager.",
  });

export const tooManyPasskeysRefusal = () =>
  new DomainError("conflict", {
    code: "too_many_passkeys",
    message: "You already have ten passkeys. Remove one first.",
  });

/**
 * The error doesn't reveal the owner of the passkey. A caller can send any credential id, but can't guess a registered
 * one.
 */
export const knownPasskeyRefusal = () =>
  new DomainError("conflict", { code: "passkey_known", message: "This passkey is already registered." });
