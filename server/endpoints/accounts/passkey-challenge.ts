import { z } from "zod";
import { assertSameOrigin } from "../../accounts/assert-same-origin.ts";
import { beginPasskeySignIn } from "../../accounts/sign-in/begin-passkey-sign-in.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";

export const passkeyChallengeEndpoint = defineEndpoint({
  method: "POST",
  path: "/sign-in/passkey/challenge",
  operationId: "beginPasskeySignIn",
  summary: "Get a challenge for signing in to the wallet with a passkey",
  tag: "Wallet",
  standards: ["WebAuthn"],
  auth: { kind: "none" },
  rateLimit: "person",
  errors: "problem",
  errorCodes: ["cross_origin"],
  request: {},
  responses: {
    200: {
      description: "PublicKeyCredentialRequestOptionsJSON. The challenge is valid once, for 5 minutes",
      schema: z.looseObject({
        challenge: z.string(),
        rpId: z.string(),
        timeout: z.number(),
        userVerification: z.literal("required"),
      }),
      example: {
        challenge: "C5vIzYcdWk0xSgIvLwNqGzLZzPZBYO8mX2bCCEgKd1c",
        rpId: "pay.example.com",
        timeout: 300_000,
        userVerification: "required",
      },
    },
  },
  async handle({ deps, request }) {
    assertSameOrigin(request.headers, deps.config);
    return { status: 200, headers: noStore, body: await beginPasskeySignIn(deps) };
  },
});
