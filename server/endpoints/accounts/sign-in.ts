import { z } from "zod";
import { assertSameOrigin } from "../../accounts/assert-same-origin.ts";
import { safeReturnTo } from "../../accounts/rules/return-to.ts";
import { findDestination } from "../../accounts/sign-in/find-destination.ts";
import { type SignInOutcome, signIn } from "../../accounts/sign-in/sign-in.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import type { Deps } from "../../deps/deps.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { backToForm, wantsJson } from "./native-form.ts";

/** The form shows an error for a missing field. A longer text can't be an e-mail address. */
const body = z.strictObject({
  email: z.string().max(320).default(""),
  password: z.string().max(1_000).default(""),
  return_to: z.string().max(4_000).optional(),
});

/** A native form, without script: 303 to the requested page, or back to the form with the error. */
export const signInEndpoint = defineEndpoint({
  method: "POST",
  path: "/sign-in/session",
  operationId: "signIn",
  summary: "Sign in to the wallet with e-mail and password",
  tag: "Wallet",
  standards: [],
  auth: { kind: "none" },
  rateLimit: "person",
  errors: "problem",
  errorCodes: ["sign_in_refused", "too_many_attempts", "cross_origin"],
  request: {
    content: "form",
    body,
    example: { email: "payer@example.com", password: "correct horse battery staple", return_to: "/wallet" },
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
  async handle({ deps, info, request }, { body: form }) {
    assertSameOrigin(request.headers, deps.config);
    const returnTo = safeReturnTo(form.return_to);
    const isJson = wantsJson(request.headers);
    try {
      const cookieHeader = request.headers.get("cookie");
      const { email, password } = form;
      const outcome = await signIn(deps, { email, password, returnTo, cookieHeader, info });
      const { destination, cookies } = await destinationOf(deps, outcome, returnTo);
      return isJson
        ? { status: 200, headers: noStore, cookies, body: { return_to: destination } }
        : { status: 303, headers: { ...noStore, location: destination }, cookies };
    } catch (error) {
      if (!isDomainError(error) || isJson) throw error;
      return backToForm("/sign-in", { error: error.code, return_to: returnTo, again: "1" });
    }
  },
});

const destinationOf = async (deps: Deps, outcome: SignInOutcome, returnTo: string) => {
  if (outcome.kind === "unverified") return { destination: "/sign-up/verify", cookies: [outcome.signUpCookie] };
  const { accountId, setCookie, knownBrowserCookie } = outcome;
  return {
    destination: await findDestination(deps, { accountId, returnTo }),
    cookies: [setCookie, knownBrowserCookie],
  };
};
