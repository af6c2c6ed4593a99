import { insertPasskey } from "../../data/accounts/passkeys.ts";
import { appendAudit } from "../../data/audit/audit.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { newId } from "../../kernel/ids.ts";
import { type Holder, tellOfPasskey } from "./mail-passkey-change.ts";
import type { Attestation } from "./passkey.wire.ts";
import { inCeremony } from "./passkey-ceremony.ts";
import { maxPasskeys, verifyAttestation } from "./passkeys.ts";

/**
 * Keeps a passkey that was made for beginAddingPasskey, and tells the account's owner by mail.
 * @throws DomainError passkey_not_made, passkey_challenge_gone, too_many_passkeys, passkey_known.
 */
export const addPasskey = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  input: { account: Holder; sessionId: string; attestation: Attestation; name: string; requestId: string },
): Promise<{ passkeyId: string }> => {
  const { account, sessionId, attestation, name, requestId } = input;
  const { clientDataJSON: clientDataJson, transports } = attestation.response;
  return inCeremony(deps, { purpose: "add", sessionId, clientDataJson }, async (tx, challenge) => {
    const made = await verifyAttestation(deps.config, attestation, challenge);
    if (!made) return notMade();
    const at = deps.clock.now();
    const id = newId("psk");
    const passkey = { ...made, id, accountId: account.id, transports, name, createdAt: at };
    const outcome = await insertPasskey(tx, { ...passkey, counter: BigInt(made.counter) }, maxPasskeys);
    if (outcome !== "added") return outcome === "full" ? tooManyPasskeys() : known();
    const actor = { kind: "payer", id: account.id } as const;
    await appendAudit(tx.sql, { at, actor, action: "passkey.added", subjectId: id, requestId });
    await tellOfPasskey(deps, tx, { kind: "passkey_added", account, name, requestId });
    return { passkeyId: id };
  });
};

const notMade = () =>
  new DomainError("invalid", "passkey_not_made", "This passkey can’t be used. Try another device or password manager.");

export const tooManyPasskeys = () =>
  new DomainError("conflict", "too_many_passkeys", "You already have ten passkeys. Remove one first.");

/** Nobody learns whose: who can make the same credential id again holds the passkey, or made it up. */
const known = () => new DomainError("conflict", "passkey_known", "This passkey is already registered.");
