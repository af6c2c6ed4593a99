import { authorize, type MerchantAction } from "../../accounts/authorize.ts";
import { findMemberRole } from "../../accounts/memberships.ts";
import { findSession } from "../../accounts/sessions/find-session.ts";
import { sessionActor } from "../../accounts/sessions/session-actor.ts";
import type { EndpointRequest, RawReply } from "../../contract/endpoint.ts";
import { noStore } from "../../contract/headers.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";

/**
 * Replies with a file of the dashboard if the member's role permits the action. Without a session, redirects to the
 * sign-in form. @throws DomainError not_found if the role doesn't permit it, or for another merchant.
 */
export const replyToMember = async (
  { deps, request }: { deps: Deps; request: EndpointRequest },
  { action, merchantId }: { action: MerchantAction; merchantId: string },
  reply: () => RawReply | Promise<RawReply>,
): Promise<RawReply> => {
  const session = await findSession(deps, request.headers.get("cookie"));
  if (!session) {
    const { pathname, search } = new URL(request.url);
    const location = `/sign-in?return_to=${encodeURIComponent(pathname + search)}`;
    return { status: 303, headers: { ...noStore, location } };
  }
  const role = await findMemberRole(deps, { accountId: session.account.id, merchantId });
  if (authorize(sessionActor(deps, session), action, { kind: "merchant", role }) === "allow") return reply();
  throw new DomainError("not_found", { code: "not_found", message: "Page not found, or you don’t have access to it." });
};
