import { type AccessAction, authorize } from "../../accounts/authorize.ts";
import { findSession, type SessionContext } from "../../accounts/sessions/find-session.ts";
import { sessionActor } from "../../accounts/sessions/session-actor.ts";
import type { EndpointRequest, RawReply } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";

type Call = { deps: Deps; request: EndpointRequest };

type Access = {
  action: AccessAction;
  /** absent: the payer's own list */
  findOwner?: () => Promise<string | null>;
  /** the page to which a visitor returns after signing in; absent: this file */
  returnTo?: string;
};

/**
 * Replies with a file of the wallet if the payer may download it. Without a session, it redirects to the sign-in form.
 * @throws DomainError not_found, also for another payer's object.
 */
export const replyToPayer = async (
  { deps, request }: Call,
  { action, findOwner, returnTo = addressOf(request) }: Access,
  reply: (session: SessionContext) => Promise<RawReply> | RawReply,
): Promise<RawReply> => {
  const session = await findSession(deps, request.headers.get("cookie"));
  if (!session) {
    return { status: 303, headers: { ...noStore, location: `/sign-in?return_to=${encodeURIComponent(returnTo)}` } };
  }
  const resource = findOwner ? ({ kind: "owned", ownerId: await findOwner() } as const) : ({ kind: "none" } as const);
  if (authorize(sessionActor(deps, session), action, resource) === "allow") return reply(session);
  throw new DomainError("not_found", { code: "not_found", message: "This page doesn’t exist, or it isn’t yours." });
};

const addressOf = ({ url }: EndpointRequest): string => {
  const { pathname, search } = new URL(url);
  return pathname + search;
};

/** Part of the responses in the contract of each file endpoint. */
export const signInResponse = { 303: { description: "Redirects a visitor to the sign-in form" } } as const;

/** The browser saves the file under this name. No cache may store it, because the content is personal. */
export const downloadHeaders = (fileName: string) => ({
  "cache-control": "private, no-store",
  "content-disposition": `attachment; filename="${fileName}"`,
});
