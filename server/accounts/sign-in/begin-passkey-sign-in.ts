import { generateAuthenticationOptions, type PublicKeyCredentialRequestOptionsJSON } from "@simplewebauthn/server";
import type { Deps } from "../../deps/deps.ts";
import { ceremonyMilliseconds, storeChallenge } from "../passkeys/passkey-ceremony.ts";
import { relyingParty } from "../passkeys/passkeys.ts";

type SignInOptions = Omit<PublicKeyCredentialRequestOptionsJSON, "extensions"> & {
  rpId: string;
  timeout: number;
  userVerification: "required";
};

/**
 * The options to sign in with a passkey. They don't list passkeys. The passkey that the person chooses identifies its
 * account.
 */
export const beginPasskeySignIn = async (deps: Pick<Deps, "db" | "clock" | "config">): Promise<SignInOptions> => {
  const required = { userVerification: "required", timeout: ceremonyMilliseconds } as const;
  const rpId = relyingParty(deps.config).id;
  const options = await generateAuthenticationOptions({ rpID: rpId, ...required });
  await storeChallenge(deps, options.challenge, { purpose: "sign_in", sessionId: null });
  return { ...options, ...required, rpId };
};
