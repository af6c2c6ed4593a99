import { z } from "zod";
import { assertSameOrigin } from "../../accounts/assert-same-origin.ts";
import { confirmEmailLink } from "../../accounts/email-change/confirm-email-link.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { isDomainError } from "../../kernel/errors.ts";
import { formContract, pathWith, redirectTo } from "./native-form.ts";

/** Called by the button on the page that the link opens. Opening the link changes nothing: mail scanners open links. */
export const confirmEmailChangeEndpoint = defineEndpoint({
  ...formContract,
  path: "/email-change/confirm",
  operationId: "confirmEmailChange",
  summary: "Confirm a new e-mail address with the token of its link",
  errorCodes: ["cross_origin"],
  request: {
    content: "form",
    body: z.strictObject({ token: z.string().max(100).default("") }),
    example: { token: "C5vIzYcdWk0xSgIvLwNqGzLZzPZBYO8mX2bCCEgKd1c" },
  },
  responses: { 303: { description: "Redirects to the page of the link, with the outcome" } },
  async handle({ deps, info, request }, { body: { token } }) {
    assertSameOrigin(request.headers, deps.config);
    try {
      await confirmEmailLink(deps, { token, requestId: info.requestId });
      return redirectTo(pathWith("/email-change", { done: "1" }));
    } catch (error) {
      if (!isDomainError(error)) throw error;
      return redirectTo(pathWith("/email-change", { error: error.code }));
    }
  },
});
