import { z } from "zod";
import { assertSameOrigin } from "../../accounts/assert-same-origin.ts";
import { chooseLanguage } from "../../accounts/language/choose-language.ts";
import { languageCookie } from "../../accounts/rules/preference-cookies.ts";
import { safeReturnTo } from "../../accounts/rules/return-to.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { languages } from "../../kernel/messages/languages.ts";
import { formContract, redirectTo } from "./native-form.ts";

export const chooseLanguageEndpoint = defineEndpoint({
  ...formContract,
  path: "/language",
  operationId: "chooseLanguage",
  summary: "Choose the language of the payer's pages",
  errorCodes: ["cross_origin"],
  request: {
    content: "form",
    body: z.strictObject({ language: z.enum(languages), return_to: z.string().max(4_000).optional() }),
    example: { language: "de", return_to: "/sign-in" },
  },
  responses: {
    303: { description: "Redirects back to the page; the choice is in a cookie and, with a session, in the account" },
  },
  async handle({ deps, info, request }, { body: { language, return_to } }) {
    assertSameOrigin(request.headers, deps.config);
    await chooseLanguage(deps, { language, cookieHeader: request.headers.get("cookie"), info });
    const cookie = languageCookie(language, deps.config.baseUrl);
    return redirectTo(safeReturnTo(return_to), [cookie]);
  },
});
