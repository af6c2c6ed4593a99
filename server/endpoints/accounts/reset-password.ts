import { z } from "zod";
import { resetPassword } from "../../accounts/password-reset/reset-password.ts";
import { safeReturnTo } from "../../accounts/rules/return-to.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import type { DomainError } from "../../kernel/errors.ts";
import { answerForm, formContract, goSignedIn, nextPageSchema, pathWith, redirectTo } from "./native-form.ts";

export const resetPasswordEndpoint = defineEndpoint({
  ...formContract,
  path: "/reset/save",
  operationId: "resetPassword",
  summary: "Choose a new password with the token of a reset link",
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
      schema: nextPageSchema,
      example: { return_to: "/wallet" },
    },
    303: {
      description:
        "The password is set and this browser is signed in. If the reset fails, redirects back to the form with `error`",
    },
  },
  handle({ deps, info, request }, { body: { token, password, return_to } }) {
    const returnTo = safeReturnTo(return_to);
    const refused = (error: DomainError) =>
      redirectTo(pathWith("/reset/password", { error: error.code, token, return_to: returnTo }));
    return answerForm({ deps, request }, refused, async () => {
      const cookieHeader = request.headers.get("cookie");
      const signedIn = await resetPassword(deps, { token, password, cookieHeader, info });
      const { accountId, setCookie, knownBrowserCookie } = signedIn;
      return goSignedIn(deps, request, { accountId, returnTo, cookies: [setCookie, knownBrowserCookie] });
    });
  },
});
