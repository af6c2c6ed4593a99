import { z } from "zod";
import { assertSameOrigin } from "../../accounts/assert-same-origin.ts";
import { signInByRecoveryCode } from "../../accounts/recovery-codes/sign-in-by-recovery-code.ts";
import { safeReturnTo } from "../../accounts/rules/return-to.ts";
import { findDestination } from "../../accounts/sign-in/find-destination.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { backToForm, wantsJson } from "./native-form.ts";

export const signInByRecoveryCodeEndpoint = defineEndpoint({
  method: "POST",
  path: "/sign-in/recovery-code",
  operationId: "signInByRecoveryCode",
  summary: "Sign in to the wallet with e-mail and a recovery code",
  tag: "Wallet",
  standards: [],
  auth: { kind: "none" },
  rateLimit: "person",
  errors: "problem",
  errorCodes: ["recovery_code_refused", "too_many_attempts", "cross_origin"],
  request: {
    content: "form",
    body: z.strictObject({
      email: z.string().max(320).default(""),
      code: z.string().max(100).default(""),
      return_to: z.string().max(4_000).optional(),
    }),
    example: { email: "payer@example.com", code: "7K2M-90AB-1XYZ", return_to: "/wallet" },
  },
  responses: {
    200: {
      description: "Signed in (response to a JSON request)",
      schema: z.object({ return_to: z.string() }),
      example: { return_to: "/wallet" },
    },
    303: {
      description: "Signed in; the session is in a cookie. If sign-in fails, redirects back to the form with `error`",
    },
  },
  async handle({ deps, info, request }, { body: { email, code, return_to } }) {
    assertSameOrigin(request.headers, deps.config);
    const returnTo = safeReturnTo(return_to);
    const isJson = wantsJson(request.headers);
    try {
      const cookieHeader = request.headers.get("cookie");
      const signedIn = await signInByRecoveryCode(deps, { email, code, cookieHeader, info });
      const destination = await findDestination(deps, { accountId: signedIn.accountId, returnTo });
      const cookies = [signedIn.setCookie, signedIn.knownBrowserCookie];
      return isJson
        ? { status: 200, headers: noStore, cookies, body: { return_to: destination } }
        : { status: 303, headers: { ...noStore, location: destination }, cookies };
    } catch (error) {
      if (!isDomainError(error) || isJson) throw error;
      return backToForm("/sign-in/recovery", { error: error.code, return_to: returnTo });
    }
  },
});
