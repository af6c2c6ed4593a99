import { z } from "zod";
import { emailDraft } from "../../accounts/drafts/email-draft.ts";
import { preferredLocale } from "../../accounts/language/find-visitor-locale.ts";
import { requestReset } from "../../accounts/password-reset/request-reset.ts";
import { safeReturnTo } from "../../accounts/rules/return-to.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import type { DomainError } from "../../kernel/errors.ts";
import { answerForm, formContract, pathWith, redirectTo, replyTo } from "./native-form.ts";

export const requestResetEndpoint = defineEndpoint({
  ...formContract,
  path: "/reset/request",
  operationId: "requestPasswordReset",
  summary: "Request an e-mail with a link to choose a new password",
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
    303: {
      description: "Redirects to the page that asks the person to check the mailbox, or back to the form with `error`",
    },
  },
  handle({ deps, info, request }, { body: { email, return_to } }) {
    const returnTo = safeReturnTo(return_to);
    const refused = (error: DomainError) =>
      redirectTo(pathWith("/reset", { error: error.code, return_to: returnTo }), [emailDraft.keep(deps, { email })]);
    return answerForm({ deps, request }, refused, async () => {
      const cookieHeader = request.headers.get("cookie");
      const acceptLanguage = request.headers.get("accept-language");
      const locale = preferredLocale({ cookies: cookieHeader, acceptLanguage });
      await requestReset(deps, { email, returnTo, locale, cookieHeader, info });
      const path = pathWith("/reset", { sent: "1", return_to: returnTo });
      return replyTo(request, { path, cookies: emailDraft.remove(deps, cookieHeader), body: { sent: true as const } });
    });
  },
});
