import type {
  PublicKeyCredentialCreationOptionsJSON as CreationOptions,
  PublicKeyCredentialRequestOptionsJSON as RequestOptions,
} from "@simplewebauthn/browser";

/** An error of the browser or the authenticator, with a message for the person. */
export class PasskeyProblem extends Error {}

const messages: ReadonlyMap<string, string> = new Map([
  ["NotAllowedError", "No passkey was used. Try again when you’re ready."],
  ["AbortError", "No passkey was used. Try again when you’re ready."],
  ["InvalidStateError", "This device or password manager already has a passkey for your account."],
  ["SecurityError", "Passkeys don’t work at this address."],
  ["ConstraintError", "This device can’t store a passkey that asks for a PIN, fingerprint or face."],
]);
const defaultMessage = "This browser or device doesn’t support this passkey. Try another one.";

const withMessage = async <T>(ceremony: Promise<T>): Promise<T> => {
  try {
    return await ceremony;
  } catch (error) {
    const message = messages.get(error instanceof Error ? error.name : "") ?? defaultMessage;
    throw new PasskeyProblem(message, { cause: error });
  }
};

/** Loaded on first use, because most visits use no passkey. */
const library = () => import("@simplewebauthn/browser");

/** Asks the person for one of their passkeys. @throws PasskeyProblem. */
export const askForPasskey = async (optionsJSON: RequestOptions) => {
  const { startAuthentication } = await library();
  return withMessage(startAuthentication({ optionsJSON }));
};

/** Asks the person to create a passkey. @throws PasskeyProblem. */
export const createPasskey = async (optionsJSON: CreationOptions) => {
  const { startRegistration } = await library();
  return withMessage(startRegistration({ optionsJSON }));
};
