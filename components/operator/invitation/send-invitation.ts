import type { Translator } from "#server/kernel/messages/translator.ts";
import { createPasskey, PasskeyProblem } from "../../sign-in/passkey.ts";

/** Where to go next, or why the request was refused. */
export type InvitationResult =
  | { kind: "accepted"; returnTo: string }
  | { kind: "refused"; code: string; message: string };

const messages: ReadonlyMap<string, string> = new Map([
  [
    "invitation_gone",
    "This link has expired, was already used, or was canceled or replaced. Ask an admin for a new one.",
  ],
  ["address_taken", "This address already has an account. Reload the page, then sign in."],
  ["invitation_for_another", "This link is for another address. Sign out, then open the link again."],
  ["sign_in_required", "Your session has ended. Reload the page, then sign in."],
  ["session_not_found", "Your session has ended. Reload the page, then sign in."],
  ["password_too_short", "Use at least 12 characters."],
  ["password_too_long", "Use at most 128 characters."],
  ["password_has_email", "Don’t use your e-mail address in the password."],
  ["password_common", "This is one of the most common passwords. Choose another one."],
  ["passkey_challenge_gone", "The request timed out. Please try again."],
  ["passkey_not_made", "This passkey can’t be used. Try another device or password manager."],
  ["passkey_known", "This passkey is already registered. Use another one."],
  ["too_many_requests", "Too many attempts. Wait a minute, then try again."],
  ["unreachable", "The service can’t be reached. Please try again in a moment."],
]);

const refused = (code: string, message = messages.get(code)): InvitationResult => ({
  kind: "refused",
  code,
  message: message ?? "Something went wrong on our side. Please try again.",
});

export type Person = { token: string; name: string };

export const acceptSignedIn = (token: string): Promise<InvitationResult> => send("acceptance", { token });

export const acceptWithPassword = (person: Person, password: string): Promise<InvitationResult> =>
  send("account", { ...person, ...preferences(), credential: { password } });

/** Creates the passkey in the browser, then the account. @param passkeyTexts for problems of the passkey. */
export const acceptWithPasskey = async (
  person: Person,
  { passkeyName, passkeyTexts }: { passkeyName: string; passkeyTexts: Translator<"passkey"> },
): Promise<InvitationResult> => {
  try {
    const challenge = await post("challenge", person);
    if (!challenge.ok) return readResult(challenge);
    const attestation = await createPasskey(await challenge.json());
    return await send("account", {
      ...person,
      ...preferences(),
      credential: { attestation, passkey_name: passkeyName },
    });
  } catch (error) {
    return error instanceof PasskeyProblem ? refused("passkey", passkeyTexts(error.text)) : refused("unreachable");
  }
};

const preferences = () => ({
  locale: navigator.language,
  time_zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
});

const post = (step: string, body: object): Promise<Response> =>
  fetch(`/operator/invitation/${step}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });

const send = async (step: string, body: object): Promise<InvitationResult> => {
  try {
    return await readResult(await post(step, body));
  } catch {
    return refused("unreachable");
  }
};

const readResult = async (response: Response): Promise<InvitationResult> => {
  const answer: { return_to?: string; type?: string } = await response.json();
  if (response.ok) return { kind: "accepted", returnTo: answer.return_to ?? "/operator" };
  return refused(answer.type?.split("#").at(-1) ?? "server_error");
};
