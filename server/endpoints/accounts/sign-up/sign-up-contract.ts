import { z } from "zod";
import { assertSameOrigin } from "../../../accounts/assert-same-origin.ts";
import { findDestination } from "../../../accounts/sign-in/find-destination.ts";
import type { SignedUp, SignUpOutcome } from "../../../accounts/sign-up/advance-sign-up.ts";
import type { EndpointRequest, Reply, ResponseContract } from "../../../contract/endpoint.ts";
import { noStore } from "../../../contract/headers.ts";
import type { Deps, RequestInfo } from "../../../deps/deps.ts";
import { type DomainError, isDomainError } from "../../../kernel/errors.ts";
import { wantsJson } from "../native-form.ts";

/** Shared by the sign-up's endpoints: each is a native form, and a script may send the same form and read JSON. */
export const signUpContract = {
  method: "POST",
  tag: "Wallet",
  standards: [],
  auth: { kind: "none" },
  rateLimit: "person",
  errors: "problem",
} as const;

export const nextPage = {
  200: {
    description: "The page that comes next (response to a JSON request)",
    schema: z.object({ return_to: z.string() }),
    example: { return_to: "/wallet" },
  },
  303: { description: "Redirects to the page that comes next, or back to the form with `error`" },
} as const satisfies Record<number, ResponseContract>;

export type NextPage = { return_to: string };

type Sent = { deps: Deps; info: RequestInfo; request: EndpointRequest };

/** Redirects a form to a page; a script gets the page's path. */
export const goTo = (request: EndpointRequest, path: string, cookies: readonly string[] = []): Reply<NextPage> =>
  wantsJson(request.headers)
    ? { status: 200, headers: noStore, cookies, body: { return_to: path } }
    : { status: 303, headers: { ...noStore, location: path }, cookies };

/** Runs the work of a form from a page of this site. Without script, a refusal leads back to the form. */
export const answerForm = async (
  { deps, request }: Sent,
  formPath: (error: DomainError) => string,
  work: () => Promise<Reply<NextPage>>,
): Promise<Reply<NextPage>> => {
  assertSameOrigin(request.headers, deps.config);
  try {
    return await work();
  } catch (error) {
    if (!isDomainError(error) || wantsJson(request.headers)) throw error;
    return goTo(request, error.code === "sign_up_gone" ? "/sign-up?error=sign_up_gone" : formPath(error));
  }
};

/** Opens the person's page after sign-up, with the cookies of the session. */
export const goSignedIn = async (
  deps: Deps,
  request: EndpointRequest,
  { accountId, returnTo, cookies }: SignedUp,
): Promise<Reply<NextPage>> => goTo(request, await findDestination(deps, { accountId, returnTo }), cookies);

export const goOn = (
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
      return goTo(request, `/sign-in?${new URLSearchParams({ return_to: outcome.returnTo })}`);
  }
};
