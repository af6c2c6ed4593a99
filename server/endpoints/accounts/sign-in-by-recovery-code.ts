import { z } from "zod";
import { emailDraft } from "../../accounts/drafts/email-draft.ts";
import { signInByRecoveryCode } from "../../accounts/recovery-codes/sign-in-by-recovery-code.ts";
import { safeReturnTo } from "../../accounts/rules/return-to.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import type { DomainError } from "../../kernel/errors.ts";
import { answerForm, formContract, goSignedIn, nextPageSchema, pathWith, redirectTo } from "./native-form.ts";

export const signInByRecoveryCodeEndpoint = defineEndpoint({
  ...formContract,
  path: "/sign-in/recovery-code",
  operationId: "signInByRecoveryCode",
  summary: "Sign in to the wallet with e-mail and a recovery code",
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
      schema: nextPageSchema,
      example: { return_to: "/wallet" },
    },
    303: {
      description: "Signed in; the session is in a cookie. If sign-in fails, redirects back to the form with `error`",
    },
  },
  handle({ deps, info, request }, { body: { email, code, return_to } }) {
    const returnTo = safeReturnTo(return_to);
    const refused = (error: DomainError) =>
      redirectTo(pathWith("/sign-in/recovery", { error: error.code, return_to: returnTo }), [
        emailDraft.keep(deps, { email }),
      ]);
    return answerForm({ deps, request }, refused, async () => {
      const cookieHeader = request.headers.get("cookie");
      const signedIn = await signInByRecoveryCode(deps, { email, code, cookieHeader, info });
      const { accountId, setCookie, knownBrowserCookie } = signedIn;
      const cookies = [setCookie, knownBrowserCookie, ...emailDraft.remove(deps, cookieHeader)];
      return goSignedIn(deps, request, { accountId, returnTo, cookies });
    });
  },
});
