import type { SignUpOutcome } from "../../../accounts/sign-up/advance-sign-up.ts";
import type { EndpointRequest, RawReply, Reply, ResponseContract } from "../../../contract/endpoint.ts";
import type { Deps } from "../../../deps/deps.ts";
import type { DomainError } from "../../../kernel/errors.ts";
import { goSignedIn, goTo, type NextPage, nextPageSchema, pathWith, redirectTo } from "../native-form.ts";

export const nextPage = {
  200: {
    description: "The next page (response to a JSON request)",
    schema: nextPageSchema,
    example: { return_to: "/wallet" },
  },
  303: { description: "Redirects to the next page, or back to the form with `error`" },
} as const satisfies Record<number, ResponseContract>;

/**
 * If the sign-up no longer exists, the browser is redirected to the start of the sign-up. After any other refusal, it
 * is redirected to the form.
 */
export const backTo =
  (formPath: (error: DomainError) => string) =>
  (error: DomainError): RawReply =>
    redirectTo(error.code === "sign_up_gone" ? "/sign-up?error=sign_up_gone" : formPath(error));

export const replyWithNextPage = (
  deps: Deps,
  request: EndpointRequest,
  outcome: SignUpOutcome,
): Promise<Reply<NextPage>> | Reply<NextPage> => {
  switch (outcome.kind) {
    case "signed_in":
      return goSignedIn(deps, request, outcome);
    case "credential":
      return goTo(request, "/sign-up/passkey");
    case "confirmed":
      return goTo(request, "/sign-up/confirm?done=1");
    case "sign_in":
      return goTo(request, pathWith("/sign-in", { return_to: outcome.returnTo }));
  }
};
