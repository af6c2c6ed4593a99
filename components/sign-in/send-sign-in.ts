import { askForPasskey, PasskeyProblem } from "./passkey.ts";

/** Why a sign-in failed: a code of the service, or a problem with the passkey. */
export type SignInProblem = string | PasskeyProblem;

/** Where a sign-in leads, or why it was refused. */
export type SignInResult = { kind: "signed_in"; returnTo: string } | { kind: "refused"; problem: SignInProblem };

/** Sends the fields of the form, as the browser does without script. */
export const sendSignInForm = (form: HTMLFormElement): Promise<SignInResult> =>
  catchProblem(async () => {
    const fields = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (typeof value === "string") fields.append(name, value);
    return readResult(
      await fetch(form.action, { method: "POST", headers: { accept: "application/json" }, body: fields }),
    );
  });

/** Signs in with the passkey that the person chooses. */
export const sendPasskeySignIn = (returnTo: string): Promise<SignInResult> =>
  catchProblem(async () => {
    const challenge = await fetch("/sign-in/passkey/challenge", { method: "POST" });
    if (!challenge.ok) return readResult(challenge);
    const assertion = await askForPasskey(await challenge.json());
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ assertion, return_to: returnTo });
    return readResult(await fetch("/sign-in/passkey", { method: "POST", headers, body }));
  });

const catchProblem = async (work: () => Promise<SignInResult>): Promise<SignInResult> => {
  try {
    return await work();
  } catch (error) {
    return { kind: "refused", problem: error instanceof PasskeyProblem ? error : "unreachable" };
  }
};

const readResult = async (response: Response): Promise<SignInResult> => {
  const answer: unknown = await response.json();
  if (response.ok) return { kind: "signed_in", returnTo: stringMember(answer, "return_to") ?? "/wallet" };
  const code = stringMember(answer, "type")?.split("#").at(-1) ?? "server_error";
  return { kind: "refused", problem: code };
};

const stringMember = (value: unknown, name: string): string | null => {
  const member = typeof value === "object" && value !== null ? Reflect.get(value, name) : null;
  return typeof member === "string" ? member : null;
};
