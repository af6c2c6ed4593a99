import { generateAuthenticationOptions, type PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import { findPasskeysOfAccount } from "../../data/accounts/passkeys.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { ceremonyMilliseconds, storeChallenge } from "./passkey-ceremony.ts";
import { relyingParty, toDescriptor } from "./passkeys.ts";

/**
 * The options to confirm a risky action in this session with one of the account's passkeys.
 * @throws DomainError no_passkey.
 */
export const beginPasskeyConfirmation = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
  { accountId, sessionId }: { accountId: string; sessionId: string },
): Promise<Omit<PublicKeyCredentialRequestOptionsJSON, "extensions">> => {
  const passkeys = await findPasskeysOfAccount(deps.db, accountId);
  if (passkeys.length === 0) {
    throw new DomainError("conflict", {
      code: "no_passkey",
      message: "You have no passkey. Confirm with your password.",
    });
  }
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(deps.config).id,
    allowCredentials: passkeys.map(toDescriptor),
    userVerification: "required",
    timeout: ceremonyMilliseconds,
  });
  await storeChallenge(deps, options.challenge, { purpose: "confirm", sessionId });
  return options;
};
