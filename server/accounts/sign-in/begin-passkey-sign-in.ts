import { generateAuthenticationOptions, type PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import type { Deps } from "../../deps/deps.ts";
import { ceremonyMilliseconds, storeChallenge } from "../passkeys/passkey-ceremony.ts";
import { relyingParty } from "../passkeys/passkeys.ts";

/** The options to sign in with a passkey. They name no passkey: the chosen one names its account. */
export const beginPasskeySignIn = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
): Promise<Omit<PublicKeyCredentialRequestOptionsJSON, "extensions">> => {
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(deps.config).id,
    userVerification: "required",
    timeout: ceremonyMilliseconds,
  });
  await storeChallenge(deps, options.challenge, { purpose: "sign_in", sessionId: null });
  return options;
};
