import { z } from "zod";
import { assertSameOrigin } from "../../accounts/assert-same-origin.ts";
import { emailDraft } from "../../accounts/drafts/email-draft.ts";
import { assertionSchema } from "../../accounts/passkeys/passkey.wire.ts";
import { safeReturnTo } from "../../accounts/rules/return-to.ts";
import { findDestination } from "../../accounts/sign-in/find-destination.ts";
import { signInByPasskey } from "../../accounts/sign-in/sign-in-by-passkey.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";

/** Called by the sign-in form's script: browsers use passkeys only through script. */
export const signInByPasskeyEndpoint = defineEndpoint({
  method: "POST",
  path: "/sign-in/passkey",
  operationId: "signInByPasskey",
  summary: "Sign in to the wallet with a passkey",
  tag: "Wallet",
  standards: ["WebAuthn"],
  auth: { kind: "none" },
  rateLimit: "person",
  errors: "problem",
  errorCodes: ["passkey_refused", "passkey_challenge_gone", "too_many_attempts", "cross_origin"],
  request: {
    content: "json",
    body: z.strictObject({ assertion: assertionSchema, return_to: z.string().max(4_000).optional() }),
    example: {
      assertion: {
        id: "mHbT4nVxKkQ7dWq0",
        type: "public-key",
        response: {
          clientDataJSON:
            "eyJ0eXBlIjoid2ViYXV0aG4uZ2V0IiwiY2hhbGxlbmdlIjoiQzV2SSIsIm9yaWdpbiI6Imh0dHBzOi8vcGF5LmV4YW1wbGUuY29tIn0",
          authenticatorData: "SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MFAAAABw",
          signature: "MEUCIQDf1lTn3hT5Yx0",
          userHandle: "YWNjXzdtUTJ4",
        },
      },
      return_to: "/wallet",
    },
  },
  responses: {
    200: {
      description: "Signed in; the session is in a cookie",
      schema: z.object({ return_to: z.string() }),
      example: { return_to: "/wallet" },
    },
  },
  async handle({ deps, info, request }, { body: { assertion, return_to } }) {
    assertSameOrigin(request.headers, deps.config);
    const cookieHeader = request.headers.get("cookie");
    const { accountId, setCookie, knownBrowserCookie } = await signInByPasskey(deps, { assertion, cookieHeader, info });
    const destination = await findDestination(deps, { accountId, returnTo: safeReturnTo(return_to) });
    return {
      status: 200,
      headers: noStore,
      cookies: [setCookie, knownBrowserCookie, ...emailDraft.remove(deps, cookieHeader)],
      body: { return_to: destination },
    };
  },
});
