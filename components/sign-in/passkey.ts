import type {
  PublicKeyCredentialCreationOptionsJSON as CreationOptions,
  PublicKeyCredentialRequestOptionsJSON as RequestOptions,
} from "@simplewebauthn/browser";

/** A key of the area `passkey`. */
type ProblemText = "notUsed" | "alreadyAdded" | "wrongAddress" | "noVerification" | "unsupported";

/** An error of the browser or the authenticator. */
export class PasskeyProblem extends Error {
  /** the message to show */
  readonly text: ProblemText;

  constructor(text: ProblemText, cause: unknown) {
    super(text, { cause });
    this.text = text;
  }
}

const problemTexts: ReadonlyMap<string, ProblemText> = new Map([
  ["NotAllowedError", "notUsed"],
  ["AbortError", "notUsed"],
  ["InvalidStateError", "alreadyAdded"],
  ["SecurityError", "wrongAddress"],
  ["ConstraintError", "noVerification"],
]);

const withProblem = async <T>(ceremony: Promise<T>): Promise<T> => {
  try {
    return await ceremony;
  } catch (error) {
    throw new PasskeyProblem(problemTexts.get(error instanceof Error ? error.name : "") ?? "unsupported", error);
  }
};

/** Loaded on first use, because most visits use no passkey. */
const library = () => import("@simplewebauthn/browser");

/** Asks the person for one of their passkeys. @throws PasskeyProblem. */
export const askForPasskey = async (optionsJSON: RequestOptions) => {
  const { startAuthentication } = await library();
  return withProblem(startAuthentication({ optionsJSON }));
};

/** Asks the person to create a passkey. @throws PasskeyProblem. */
export const createPasskey = async (optionsJSON: CreationOptions) => {
  const { startRegistration } = await library();
  return withProblem(startRegistration({ optionsJSON }));
};
