import { z } from "zod";
import { assertSameOrigin } from "../../accounts/assert-same-origin.ts";
import { resetPassword } from "../../accounts/password-reset/reset-password.ts";
import { safeReturnTo } from "../../accounts/rules/return-to.ts";
import { findDestination } from "../../accounts/sign-in/find-destination.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { backToForm, wantsJson } from "./native-form.ts";

export const resetPasswordEndpoint = defineEndpoint({
  method: "POST",
  path: "/reset/save",
  operationId: "resetPassword",
  summary: "Choose a new password with the token of a reset link",
  tag: "Wallet",
  standards: [],
  auth: { kind: "none" },
  rateLimit: "person",
  errors: "problem",
  errorCodes: [
    "reset_link_gone",
    "password_too_short",
    "password_too_long",
    "password_has_email",
    "password_common",
    "cross_origin",
  ],
  request: {
    content: "form",
    body: z.strictObject({
      token: z.string().max(100).default(""),
      password: z.string().max(1_000).default(""),
      return_to: z.string().max(4_000).optional(),
    }),
    example: { token: "C5vIzYcdWk0xSgIvLwNqGzLZzPZBYO8mX2bCCEgKd1c", password: "correct horse battery staple" },
  },
  responses: {
    200: {
      description: "The password is set and this browser is signed in (response to a JSON request)",
      schema: z.object({ return_to: z.string() }),
      example: { return_to: "/wallet" },
    },
    303: { description: "The password is set and this browser is signed in, or back to the form with `error`" },
  },
  async handle({ deps, info, request }, { body: { token, password, return_to } }) {
    assertSameOrigin(request.headers, deps.config);
    const returnTo = safeReturnTo(return_to);
    const isJson = wantsJson(request.headers);
    try {
      const cookieHeader = request.headers.get("cookie");
      const signedIn = await resetPassword(deps, { token, password, cookieHeader, info });
      const destination = await findDestination(deps, { accountId: signedIn.accountId, returnTo });
      const cookies = [signedIn.setCookie, signedIn.knownBrowserCookie];
      return isJson
        ? { status: 200, headers: noStore, cookies, body: { return_to: destination } }
        : { status: 303, headers: { ...noStore, location: destination }, cookies };
    } catch (error) {
      if (!isDomainError(error) || isJson) throw error;
      return backToForm("/reset/password", { error: error.code, token, return_to: returnTo });
    }
  },
});
