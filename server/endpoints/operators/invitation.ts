import { z } from "zod";
import { assertSameOrigin } from "../../accounts/assert-same-origin.ts";
import { attestationSchema } from "../../accounts/passkeys/passkey.wire.ts";
import { findSession } from "../../accounts/sessions/find-session.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import { DomainError } from "../../kernel/errors.ts";
import { isDisplayName, tidyName } from "../../kernel/text/display-name.ts";
import { readLanguageTag, readTimeZone } from "../../kernel/text/preferences.ts";
import {
  acceptByPasskey,
  acceptByPassword,
  beginInvitationPasskey,
} from "../../operators/invitations/accept-as-new-account.ts";
import { acceptOperatorInvitation } from "../../operators/invitations/accept-operator-invitation.ts";

/** The contract of the endpoints that the invitation page's script calls, from the same origin. */
const contract = {
  method: "POST",
  tag: "Wallet",
  standards: [],
  auth: { kind: "none" },
  rateLimit: "person",
  errors: "problem",
} as const;

const token = z.string().min(1).max(100);
const name = z
  .string()
  .max(300)
  .transform(tidyName)
  .refine(isDisplayName, "must be a name of at most 80 characters of plain text");

const exampleToken = "b0xMv3Q7hTn2kLr9sWd4yFz8cXe1uJg6aPo5iNmRqKE";
const opened = {
  200: {
    description: "The page to open. A new account is signed in: the session is in a cookie",
    schema: z.object({ return_to: z.string() }),
    example: { return_to: "/operator" },
  },
} as const;
const goneErrors = ["invitation_gone", "cross_origin"] as const;

export const operatorInvitationChallengeEndpoint = defineEndpoint({
  ...contract,
  path: "/operator/invitation/challenge",
  operationId: "beginInvitationPasskey",
  summary: "Get a challenge for creating the passkey of an invited operator",
  standards: ["WebAuthn"],
  errorCodes: [...goneErrors, "address_taken"],
  request: {
    content: "json",
    body: z.strictObject({ token, name }),
    example: { token: exampleToken, name: "Grace Hopper" },
  },
  responses: {
    200: {
      description: "PublicKeyCredentialCreationOptionsJSON. The challenge is valid once, for 5 minutes",
      schema: z.looseObject({ challenge: z.string() }),
      example: { challenge: "C5vIzYcdWk0xSgIvLwNqGzLZzPZBYO8mX2bCCEgKd1c" },
    },
  },
  async handle({ deps, request }, { body }) {
    assertSameOrigin(request.headers, deps.config);
    return { status: 200, headers: noStore, body: { ...(await beginInvitationPasskey(deps, body)) } };
  },
});

const credential = z.union([
  z.strictObject({ password: z.string().max(1_000) }),
  z.strictObject({ attestation: attestationSchema, passkey_name: z.string().min(1).max(60) }),
]);

export const operatorInvitationAccountEndpoint = defineEndpoint({
  ...contract,
  path: "/operator/invitation/account",
  operationId: "acceptInvitationWithAccount",
  summary: "Accept an operator's invitation with a new account",
  standards: ["WebAuthn"],
  errorCodes: [
    ...goneErrors,
    "address_taken",
    "password_too_short",
    "password_too_long",
    "password_has_email",
    "password_common",
    "passkey_not_made",
    "passkey_known",
    "passkey_challenge_gone",
  ],
  request: {
    content: "json",
    body: z.strictObject({
      token,
      name,
      locale: z.string().max(100).default(""),
      time_zone: z.string().max(100).default(""),
      credential,
    }),
    example: {
      token: exampleToken,
      name: "Grace Hopper",
      locale: "en-GB",
      time_zone: "Europe/Berlin",
      credential: { password: "correct horse battery staple" },
    },
  },
  responses: opened,
  async handle({ deps, info, request }, { body }) {
    assertSameOrigin(request.headers, deps.config);
    const person = {
      token: body.token,
      name: body.name,
      locale: readLanguageTag(body.locale) ?? "en-GB",
      timeZone: readTimeZone(body.time_zone) ?? "UTC",
      cookieHeader: request.headers.get("cookie"),
      info,
    };
    const given = body.credential;
    const { setCookie, knownBrowserCookie } =
      "password" in given
        ? await acceptByPassword(deps, { ...person, password: given.password })
        : await acceptByPasskey(deps, {
            ...person,
            attestation: given.attestation,
            passkeyName: given.passkey_name,
          });
    return {
      status: 200,
      headers: noStore,
      cookies: [setCookie, knownBrowserCookie],
      body: { return_to: "/operator" },
    };
  },
});

export const operatorInvitationAcceptanceEndpoint = defineEndpoint({
  ...contract,
  path: "/operator/invitation/acceptance",
  operationId: "acceptOperatorInvitation",
  summary: "Accept an operator's invitation with the account that is signed in",
  errorCodes: [...goneErrors, "invitation_for_another", "sign_in_required", "session_not_found"],
  request: { content: "json", body: z.strictObject({ token }), example: { token: exampleToken } },
  responses: opened,
  async handle({ deps, info, request }, { body }) {
    assertSameOrigin(request.headers, deps.config);
    const session = await findSession(deps, request.headers.get("cookie"));
    if (!session) throw signInRefusal();
    await acceptOperatorInvitation(deps, { token: body.token, session, requestId: info.requestId });
    return { status: 200, headers: noStore, body: { return_to: "/operator" } };
  },
});

const signInRefusal = () =>
  new DomainError("unauthenticated", {
    code: "sign_in_required",
    message: "Sign in with the invited address, then accept the invitation.",
  });
