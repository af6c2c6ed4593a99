import { generateRegistrationOptions, type PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/server";
import { isoUint8Array } from "@simplewebauthn/server/helpers";
import { findPasskeysOfAccount } from "../../data/accounts/passkeys.ts";
import type { Deps } from "../../deps/deps.ts";
import { tooManyPasskeysRefusal } from "./add-passkey.ts";
import { ceremonyMilliseconds, storeChallenge } from "./passkey-ceremony.ts";
import { maxPasskeys, passkeyAlgorithms, relyingParty, toDescriptor } from "./passkeys.ts";

/**
 * The options to create a passkey. The passkey must be discoverable and verify the user, and the device must not
 * already have a passkey of the account.
 * @throws DomainError too_many_passkeys.
 */
export const beginAddingPasskey = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { account, sessionId }: { account: { id: string; email: string; displayName: string }; sessionId: string },
): Promise<Omit<PublicKeyCredentialCreationOptionsJSON, "extensions">> => {
  const passkeys = await findPasskeysOfAccount(deps.db, account.id);
  if (passkeys.length >= maxPasskeys) throw tooManyPasskeysRefusal();
  const { id, name } = relyingParty(deps.config);
  // If both environments run on one machine, a password manager can't distinguish their hosts.
  const userName = deps.config.environment === "sandbox" ? `${account.email} (sandbox)` : account.email;
  const options = await generateRegistrationOptions({
    rpID: id,
    rpName: name,
    attestationType: "none",
    timeout: ceremonyMilliseconds,
    userID: isoUint8Array.fromUTF8String(account.id),
    userName,
    userDisplayName: account.displayName,
    supportedAlgorithmIDs: passkeyAlgorithms,
    excludeCredentials: passkeys.map(toDescriptor),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
  });
  await storeChallenge(deps, options.challenge, { purpose: "add", sessionId });
  return options;
};
