import { z } from "zod";
import { assertSameOrigin } from "../../accounts/assert-same-origin.ts";
import { signOut } from "../../accounts/sessions/sign-out.ts";
import { defineEndpoint } from "../../contract/endpoint.ts";
import { formContract, redirectTo } from "./native-form.ts";

export const signOutEndpoint = defineEndpoint({
  ...formContract,
  path: "/sign-out",
  operationId: "signOut",
  summary: "End the wallet session of this browser",
  errorCodes: ["cross_origin"],
  request: { content: "form", body: z.strictObject({}), example: {} },
  responses: { 303: { description: "Signed out; the cookie is deleted" } },
  async handle({ deps, info, request }) {
    assertSameOrigin(request.headers, deps.config);
    const { setCookie } = await signOut(deps, { cookieHeader: request.headers.get("cookie"), info });
    return redirectTo("/", [setCookie]);
  },
});
