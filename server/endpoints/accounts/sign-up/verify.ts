import { z } from "zod";
import { confirmSignUp } from "../../../accounts/sign-up/confirm-sign-up.ts";
import { requestSignUpCode } from "../../../accounts/sign-up/request-sign-up-code.ts";
import { verifySignUp } from "../../../accounts/sign-up/verify-sign-up.ts";
import { defineEndpoint } from "../../../contract/endpoint.ts";
import { answerForm, formContract, goTo, pathWith } from "../native-form.ts";
import { backTo, nextPage, replyWithNextPage } from "./sign-up-contract.ts";

const toCodePage = backTo(({ code }) => pathWith("/sign-up/verify", { error: code }));

/** Verifies the code from the e-mail, entered in the browser in which the sign-up began. */
export const verifySignUpEndpoint = defineEndpoint({
  ...formContract,
  path: "/sign-up/verification",
  operationId: "verifySignUp",
  summary: "Verify the e-mail address of a sign-up with its code",
  errorCodes: ["code_wrong", "code_expired", "sign_up_gone", "cross_origin"],
  request: {
    content: "form",
    body: z.strictObject({ code: z.string().max(40).default("") }),
    example: { code: "123456" },
  },
  responses: nextPage,
  handle: ({ deps, info, request }, { body: { code } }) =>
    answerForm({ deps, request }, toCodePage, async () => {
      const cookieHeader = request.headers.get("cookie");
      return replyWithNextPage(deps, request, await verifySignUp(deps, { code, cookieHeader, info }));
    }),
});

export const requestSignUpCodeEndpoint = defineEndpoint({
  ...formContract,
  path: "/sign-up/code",
  operationId: "requestSignUpCode",
  summary: "Send a new code for a sign-up",
  errorCodes: ["too_many_codes", "sign_up_gone", "sign_up_not_ready", "cross_origin"],
  request: { content: "form", body: z.strictObject({}), example: {} },
  responses: nextPage,
  handle: ({ deps, info, request }) =>
    answerForm({ deps, request }, toCodePage, async () => {
      await requestSignUpCode(deps, { cookieHeader: request.headers.get("cookie"), info });
      return goTo(request, "/sign-up/verify?sent=1");
    }),
});

/**
 * Called by the button on the page that the e-mail's link opens. Opening the page verifies nothing, because mail
 * scanners open links.
 */
export const confirmSignUpEndpoint = defineEndpoint({
  ...formContract,
  path: "/sign-up/confirmation",
  operationId: "confirmSignUp",
  summary: "Verify the e-mail address of a sign-up with the link of its e-mail",
  errorCodes: ["link_expired", "cross_origin"],
  request: {
    content: "form",
    body: z.strictObject({ token: z.string().max(100).default("") }),
    example: { token: "…" },
  },
  responses: nextPage,
  handle: ({ deps, info, request }, { body: { token } }) =>
    answerForm(
      { deps, request },
      backTo(() => "/sign-up/confirm"),
      async () => {
        const cookieHeader = request.headers.get("cookie");
        return replyWithNextPage(deps, request, await confirmSignUp(deps, { token, cookieHeader, info }));
      },
    ),
});
