import { type AccessAction, authorize, isRecentProof } from "../../accounts/authorize.ts";
import { findSession, type SessionContext } from "../../accounts/sessions/find-session.ts";
import type { EndpointRequest, RawReply } from "../../contract/endpoint.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";

type Owner = { kind: "none" } | { kind: "owned"; ownerId: string | null };

/**
 * For files of the wallet: the session of a payer who may do this. A visitor is sent to the sign-in form, which returns
 * here.
 * @throws DomainError not_found, also for another payer's object.
 */
export const payerOrSignIn = async (
  deps: Deps,
  request: EndpointRequest,
  access: { action: AccessAction; findOwner?: () => Promise<string | null> },
): Promise<SessionContext | RawReply> => {
  const session = await findSession(deps, request.headers.get("cookie"));
  if (!session) return toSignIn(request);
  const resource: Owner = access.findOwner ? { kind: "owned", ownerId: await access.findOwner() } : { kind: "none" };
  const actor = {
    kind: "account",
    id: session.account.id,
    operatorRole: session.account.operatorRole,
    hasSecondFactor: session.hasSecondFactor,
    hasRecentProof: isRecentProof(session.authTime, deps.clock.now()),
  } as const;
  if (authorize(actor, access.action, resource) === "allow") return session;
  throw new DomainError("not_found", { code: "not_found", message: "This page doesn’t exist, or it isn’t yours." });
};

const toSignIn = ({ url }: EndpointRequest): RawReply => {
  const { pathname, search } = new URL(url);
  const location = `/sign-in?return_to=${encodeURIComponent(pathname + search)}`;
  return { status: 303, headers: { location, "cache-control": "no-store" } };
};

export const isReply = (value: SessionContext | RawReply): value is RawReply => "status" in value;

/** The browser saves the file under this name. Its content belongs to one person. */
export const downloadHeaders = (fileName: string) => ({
  "cache-control": "private, no-store",
  "content-disposition": `attachment; filename="${fileName}"`,
});
