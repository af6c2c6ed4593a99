import { z } from "zod";
import { emailDraft } from "../../accounts/drafts/email-draft.ts";
import { safeReturnTo } from "../../accounts/rules/return-to.ts";
import { signIn } from "../../accounts/sign-in/sign-in.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import type { DomainError } from "../../kernel/errors.ts";
import { answerForm, formContract, goSignedIn, goTo, nextPageSchema, pathWith, redirectTo } from "./native-form.ts";

/** The form shows an error for a missing field. A longer text can't be an e-mail address. */
const body = z.strictObject({
  email: z.string().max(320).default(""),
  password: z.string().max(1_000).default(""),
  return_to: z.string().max(4_000).optional(),
});

/** Without JavaScript, redirects to the next page, or back to the form with the error. */
export const signInEndpoint = defineEndpoint({
  ...formContract,
  path: "/sign-in/session",
  operationId: "signIn",
  summary: "Sign in to the wallet with e-mail and password",
  errorCodes: ["sign_in_refused", "too_many_attempts", "cross_origin"],
  request: {
    content: "form",
    body,
    example: { email: "payer@example.com", password: "correct horse battery staple", return_to: "/wallet" },
  },
  responses: {
    200: {
      description:
        "Signed in; or, if the e-mail address isn’t confirmed yet, the page for its code (response to a JSON request)",
      schema: nextPageSchema,
      example: { return_to: "/wallet" },
    },
    303: {
      description:
        "Signed in; the session is in a cookie. If the e-mail address isn’t confirmed yet, redirects to the page for its code. If sign-in fails, redirects back to the form with `error`",
    },
  },
  handle({ deps, info, request }, { body: { email, password, return_to } }) {
    const returnTo = safeReturnTo(return_to);
    const refused = (error: DomainError) =>
      redirectTo(pathWith("/sign-in", { error: error.code, return_to: returnTo, again: "1" }), [
        emailDraft.keep(deps, { email }),
      ]);
    return answerForm({ deps, request }, refused, async () => {
      const cookieHeader = request.headers.get("cookie");
      const draft = emailDraft.remove(deps, cookieHeader);
      const outcome = await signIn(deps, { email, password, returnTo, cookieHeader, info });
      if (outcome.kind === "unverified") return goTo(request, "/sign-up/verify", [outcome.signUpCookie, ...draft]);
      const { accountId, setCookie, knownBrowserCookie } = outcome;
      return goSignedIn(deps, request, { accountId, returnTo, cookies: [setCookie, knownBrowserCookie, ...draft] });
    });
  },
});
