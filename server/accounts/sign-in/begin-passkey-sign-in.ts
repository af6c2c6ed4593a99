import { generateAuthenticationOptions, type PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import type { Deps } from "../../deps/deps.ts";
import { ceremonyMilliseconds, keepChallenge } from "../passkeys/passkey-ceremony.ts";
import { relyingParty } from "../passkeys/passkeys.ts";

/** What the browser is to ask a passkey for. It names none: whichever is chosen tells whose it is. */
export const beginPasskeySignIn = async (
  deps: Pick<Deps, "db" | "clock" | "config">,
): Promise<Omit<PublicKeyCredentialRequestOptionsJSON, "extensions">> => {
  const options = await generateAuthenticationOptions({
    rpID: relyingParty(deps.config).id,
    userVerification: "required",
    timeout: ceremonyMilliseconds,
  });
  await keepChallenge(deps, options.challenge, { purpose: "sign_in", sessionId: null });
  return options;
};
