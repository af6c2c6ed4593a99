import { z } from "zod";
import { findPendingSignUp } from "../../../accounts/sign-up/find-pending-sign-up.ts";
import { signUpStateOf } from "../../../accounts/sign-up/rules/sign-up-state.ts";
import { defineEndpoint } from "../../../contract/endpoint.ts";
import { noStore } from "../../../contract/headers.ts";

/** The page that asks for the code polls this state, and continues when the link was opened in another browser. */
export const signUpStateEndpoint = defineEndpoint({
  method: "GET",
  path: "/sign-up/state",
  operationId: "readSignUpState",
  summary: "The state of this browser’s sign-up",
  tag: "Wallet",
  standards: [],
  auth: { kind: "none" },
  rateLimit: "person",
  errors: "problem",
  errorCodes: [],
  request: {},
  responses: {
    200: {
      description: "`code`: the sign-up needs the code from the e-mail. `gone`: this browser has no sign-up",
      schema: z.object({ state: z.enum(["code", "continue", "credential", "sign_in", "done", "gone"]) }),
      example: { state: "code" },
    },
  },
  async handle({ deps, request }) {
    const pending = await findPendingSignUp(deps, request.headers.get("cookie"));
    const state = pending ? signUpStateOf(pending, deps.clock.now()) : "gone";
    return { status: 200, headers: noStore, body: { state } };
  },
});
