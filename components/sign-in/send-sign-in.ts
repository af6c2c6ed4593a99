import { askForPasskey, PasskeyProblem } from "./passkey.ts";
import { type FormResult, readResult, sendBody } from "./send-form.ts";

/** Why a sign-in failed: a code of the service, or a problem with the passkey. */
export type SignInProblem = string | PasskeyProblem;

/** The page to open after the sign-in, or why it was refused. */
export type SignInResult = FormResult | { kind: "refused"; code: PasskeyProblem };

/** Signs in with the passkey that the person chooses. */
export const sendPasskeySignIn = async (returnTo: string): Promise<SignInResult> => {
  try {
    const challenge = await fetch("/sign-in/passkey/challenge", { method: "POST" });
    if (!challenge.ok) return await readResult(challenge);
    const assertion = await askForPasskey(await challenge.json());
    return await sendBody("/sign-in/passkey", { assertion, return_to: returnTo });
  } catch (error) {
    return error instanceof PasskeyProblem
      ? { kind: "refused", code: error }
      : { kind: "refused", code: "unreachable", problems: {} };
  }
};
