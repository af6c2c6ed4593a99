import { z } from "zod";
import { assertSameOrigin } from "../../../accounts/assert-same-origin.ts";
import { attestationSchema } from "../../../accounts/passkeys/passkey.wire.ts";
import { findDestination } from "../../../accounts/sign-in/find-destination.ts";
import { beginSignUpPasskey } from "../../../accounts/sign-up/begin-sign-up-passkey.ts";
import { finishSignUpByPasskey, finishSignUpByPassword } from "../../../accounts/sign-up/finish-sign-up.ts";
import { defineEndpoint } from "../../../contract/endpoint.ts";
import { noStore } from "../../../contract/headers.ts";
import { answerForm, formContract, goSignedIn, pathWith } from "../native-form.ts";
import { backTo, nextPage } from "./sign-up-contract.ts";

const contract = { ...formContract, standards: ["WebAuthn"] } as const;
const stepErrors = ["sign_up_gone", "sign_up_not_ready", "cross_origin"] as const;

export const signUpChallengeEndpoint = defineEndpoint({
  ...contract,
  path: "/sign-up/passkey/challenge",
  operationId: "beginSignUpPasskey",
  summary: "Get a challenge for creating the passkey of a sign-up",
  errorCodes: stepErrors,
  request: {},
  responses: {
    200: {
      description: "PublicKeyCredentialCreationOptionsJSON. The challenge is valid once, for 5 minutes",
      schema: z.looseObject({ challenge: z.string() }),
      example: { challenge: "C5vIzYcdWk0xSgIvLwNqGzLZzPZBYO8mX2bCCEgKd1c" },
    },
  },
  async handle({ deps, request }) {
    assertSameOrigin(request.headers, deps.config);
    const options = await beginSignUpPasskey(deps, { cookieHeader: request.headers.get("cookie") });
    return { status: 200, headers: noStore, body: { ...options } };
  },
});

/** Called by the page's script: browsers create passkeys only through script. */
export const finishSignUpByPasskeyEndpoint = defineEndpoint({
  ...contract,
  path: "/sign-up/credential/passkey",
  operationId: "finishSignUpByPasskey",
  summary: "Finish a sign-up with a passkey",
  errorCodes: [...stepErrors, "address_taken", "passkey_not_made", "passkey_known", "passkey_challenge_gone"],
  request: {
    content: "json",
    body: z.strictObject({ attestation: attestationSchema, name: z.string().min(1).max(60) }),
    example: {
      attestation: {
        id: "mHbT4nVxKkQ7dWq0",
        type: "public-key",
        response: {
          clientDataJSON:
            "eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIiwiY2hhbGxlbmdlIjoiQzV2SSIsIm9yaWdpbiI6Imh0dHBzOi8vcGF5LmV4YW1wbGUuY29tIn0",
          attestationObject: "o2NmbXRkbm9uZWdhdHRTdG10oGhhdXRoRGF0YVik",
          transports: ["internal"],
        },
      },
      name: "Chrome on Linux",
    },
  },
  responses: { 200: nextPage[200] },
  async handle({ deps, info, request }, { body: { attestation, name } }) {
    assertSameOrigin(request.headers, deps.config);
    const cookieHeader = request.headers.get("cookie");
    const signedUp = await finishSignUpByPasskey(deps, { attestation, name, cookieHeader, info });
    const destination = await findDestination(deps, signedUp);
    return { status: 200, headers: noStore, cookies: signedUp.cookies, body: { return_to: destination } };
  },
});

/** For people who chose a passkey but can't create one: they set a password instead. */
export const finishSignUpByPasswordEndpoint = defineEndpoint({
  ...formContract,
  path: "/sign-up/credential/password",
  operationId: "finishSignUpByPassword",
  summary: "Finish a sign-up with a password instead of a passkey",
  errorCodes: [
    ...stepErrors,
    "address_taken",
    "password_too_short",
    "password_too_long",
    "password_has_email",
    "password_common",
  ],
  request: {
    content: "form",
    body: z.strictObject({ password: z.string().max(1_000).default("") }),
    example: { password: "correct horse battery staple" },
  },
  responses: nextPage,
  handle: ({ deps, info, request }, { body: { password } }) =>
    answerForm(
      { deps, request },
      backTo(({ code }) => pathWith("/sign-up/passkey", { error: code })),
      async () => {
        const cookieHeader = request.headers.get("cookie");
        return goSignedIn(deps, request, await finishSignUpByPassword(deps, { password, cookieHeader, info }));
      },
    ),
});
