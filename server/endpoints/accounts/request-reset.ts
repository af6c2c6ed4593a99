import { z } from "zod";
import { assertSameOrigin } from "../../accounts/assert-same-origin.ts";
import { requestReset } from "../../accounts/password-reset/request-reset.ts";
import { safeReturnTo } from "../../accounts/rules/return-to.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { localeOfAcceptLanguage } from "../../kernel/messages/languages.ts";
import { backToForm, wantsJson } from "./native-form.ts";

export const requestResetEndpoint = defineEndpoint({
  method: "POST",
  path: "/reset/request",
  operationId: "requestPasswordReset",
  summary: "Request an e-mail with a link to choose a new password",
  tag: "Wallet",
  standards: [],
  auth: { kind: "none" },
  rateLimit: "person",
  errors: "problem",
  errorCodes: ["too_many_attempts", "cross_origin"],
  request: {
    content: "form",
    body: z.strictObject({
      email: z.string().max(320).default(""),
      return_to: z.string().max(4_000).optional(),
    }),
    example: { email: "payer@example.com", return_to: "/wallet" },
  },
  responses: {
    200: {
      description: "The same response whether or not the address has an account (response to a JSON request)",
      schema: z.object({ sent: z.literal(true) }),
      example: { sent: true },
    },
    303: { description: "Redirects to the page that says to check the mailbox" },
  },
  async handle({ deps, info, request }, { body: { email, return_to } }) {
    assertSameOrigin(request.headers, deps.config);
    const returnTo = safeReturnTo(return_to);
    const isJson = wantsJson(request.headers);
    try {
      const locale = localeOfAcceptLanguage(request.headers.get("accept-language"));
      await requestReset(deps, { email, returnTo, locale, cookieHeader: request.headers.get("cookie"), info });
      return isJson
        ? { status: 200, headers: noStore, body: { sent: true as const } }
        : backToForm("/reset", { sent: "1", return_to: returnTo });
    } catch (error) {
      if (!isDomainError(error) || isJson) throw error;
      return backToForm("/reset", { error: error.code, return_to: returnTo });
    }
  },
});
