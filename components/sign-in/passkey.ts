import type {
  PublicKeyCredentialCreationOptionsJSON as CreationOptions,
  PublicKeyCredentialRequestOptionsJSON as RequestOptions,
} from "@simplewebauthn/browser";

/** What the browser or the authenticator made of it, in words for the person. */
export class PasskeyProblem extends Error {}

const messages: ReadonlyMap<string, string> = new Map([
  ["NotAllowedError", "No passkey was used. Try again when you are ready."],
  ["AbortError", "No passkey was used. Try again when you are ready."],
  ["InvalidStateError", "There is a passkey of yours on this device or in this password manager already."],
  ["SecurityError", "Passkeys don’t work at this address."],
  ["ConstraintError", "This device can’t keep a passkey that asks for a PIN, your finger or your face."],
]);
const otherwise = "This browser or device couldn’t do that. Try another one.";

const withProblemText = async <T>(ceremony: Promise<T>): Promise<T> => {
  try {
    return await ceremony;
  } catch (error) {
    throw new PasskeyProblem(messages.get(error instanceof Error ? error.name : "") ?? otherwise, { cause: error });
  }
};

/** Its code comes when it is first needed: most visits use no passkey. */
const library = () => import("@simplewebauthn/browser");

/** Asks the person for a passkey of theirs. @throws PasskeyProblem. */
export const askForPasskey = async (optionsJSON: RequestOptions) => {
  const { startAuthentication } = await library();
  return withProblemText(startAuthentication({ optionsJSON }));
};

/** Asks the person to make one. @throws PasskeyProblem. */
export const createPasskey = async (optionsJSON: CreationOptions) => {
  const { startRegistration } = await library();
  return withProblemText(startRegistration({ optionsJSON }));
};
