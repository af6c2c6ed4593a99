import { askForPasskey, PasskeyProblem } from "./passkey.ts";

/** What a sign-in led to: a page, or words beside the form. */
export type SignInResult = { kind: "in"; returnTo: string } | { kind: "refused"; words: string };

const messages: ReadonlyMap<string, string> = new Map([
  ["sign_in_refused", "E-mail and password don’t match an account. Check both, then try again."],
  ["passkey_refused", "That passkey opens no account here. Use another one, or your password."],
  ["passkey_challenge_gone", "That took too long. Try again."],
  ["too_many_attempts", "Too many attempts. Wait a minute, then try again."],
]);

export const signInProblemText = (code: string): string =>
  messages.get(code) ?? "That didn’t work, and it isn’t your fault. Try again in a moment.";

/** By the fields of the form itself, as it would be sent without script. */
export const sendSignInForm = (form: HTMLFormElement): Promise<SignInResult> =>
  catchProblem(async () => {
    const fields = new URLSearchParams();
    for (const [name, value] of new FormData(form)) if (typeof value === "string") fields.append(name, value);
    return readResult(
      await fetch(form.action, { method: "POST", headers: { accept: "application/json" }, body: fields }),
    );
  });

/** By whichever passkey the person chooses. */
export const sendPasskeySignIn = (returnTo: string): Promise<SignInResult> =>
  catchProblem(async () => {
    const begun = await fetch("/sign-in/passkey/challenge", { method: "POST" });
    if (!begun.ok) return readResult(begun);
    const assertion = await askForPasskey(await begun.json());
    const headers = { "content-type": "application/json" };
    const body = JSON.stringify({ assertion, return_to: returnTo });
    return readResult(await fetch("/sign-in/passkey", { method: "POST", headers, body }));
  });

const catchProblem = async (work: () => Promise<SignInResult>): Promise<SignInResult> => {
  try {
    return await work();
  } catch (error) {
    return {
      kind: "refused",
      words: error instanceof PasskeyProblem ? error.message : signInProblemText("unreachable"),
    };
  }
};

const readResult = async (response: Response): Promise<SignInResult> => {
  const answer: unknown = await response.json();
  if (response.ok) return { kind: "in", returnTo: stringMember(answer, "return_to") ?? "/wallet" };
  return {
    kind: "refused",
    words: signInProblemText(stringMember(answer, "type")?.split("#").at(-1) ?? "server_error"),
  };
};

const stringMember = (value: unknown, name: string): string | null => {
  const member = typeof value === "object" && value !== null ? Reflect.get(value, name) : null;
  return typeof member === "string" ? member : null;
};
