import { z } from "zod";
import { assertSameOrigin } from "../../accounts/assert-same-origin.ts";
import { findDestination } from "../../accounts/sign-in/find-destination.ts";
import type { EndpointRequest, RawReply, Reply } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import type { Deps } from "../../deps/deps.ts";
import { type DomainError, isDomainError } from "../../kernel/errors.ts";

/**
 * The contract that the account pages' endpoints share. Each endpoint handles a native form. Some of them also accept
 * the same form from the page's script, and reply with JSON.
 */
export const formContract = {
  method: "POST",
  tag: "Wallet",
  standards: [],
  auth: { kind: "none" },
  rateLimit: "person",
  errors: "problem",
} as const;

/** The JSON that a script gets from `goTo`. */
export const nextPageSchema = z.object({ return_to: z.string() });
export type NextPage = z.output<typeof nextPageSchema>;

/** Whether the page's script sent the form. Without the script, the browser expects a page. */
const wantsJson = (headers: Pick<Headers, "get">): boolean =>
  (headers.get("accept") ?? "").includes("application/json");

/** @param path of one of our pages */
export const pathWith = (path: string, query: Readonly<Record<string, string>>): string =>
  `${path}?${new URLSearchParams(query)}`;

/** @param path of one of our pages */
export const redirectTo = (path: string, cookies: readonly string[] = []): RawReply => ({
  status: 303,
  headers: { ...noStore, location: path },
  cookies,
});

/** Redirects a form to a page; a script gets the page's path. */
export const goTo = (request: EndpointRequest, path: string, cookies: readonly string[] = []): Reply<NextPage> =>
  replyTo(request, { path, cookies, body: { return_to: path } });

/** Redirects a form to a page; a script gets `body`. */
export const replyTo = <Body extends object>(
  request: EndpointRequest,
  { path, cookies, body }: { path: string; cookies?: readonly string[]; body: Body },
): Reply<Body> =>
  wantsJson(request.headers)
    ? { status: 200, headers: noStore, cookies: cookies ?? [], body }
    : redirectTo(path, cookies);

/** Opens the person's page after a sign-in, with the cookies of the session. */
export const goSignedIn = async (
  deps: Pick<Deps, "db">,
  request: EndpointRequest,
  { accountId, returnTo, cookies }: { accountId: string; returnTo: string; cookies: readonly string[] },
): Promise<Reply<NextPage>> => goTo(request, await findDestination(deps, { accountId, returnTo }), cookies);

type Sent = { deps: Pick<Deps, "config">; request: EndpointRequest };

/**
 * Runs the work of a form from a page of this site. Without script, a refused form is redirected to the page with the
 * form.
 */
export const answerForm = async <Body extends object>(
  { deps, request }: Sent,
  refused: (error: DomainError) => RawReply,
  work: () => Promise<Reply<Body>>,
): Promise<Reply<Body>> => {
  assertSameOrigin(request.headers, deps.config);
  try {
    return await work();
  } catch (error) {
    if (!isDomainError(error) || wantsJson(request.headers)) throw error;
    return refused(error);
  }
};
