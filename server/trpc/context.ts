import { type AccessActor, isRecentProof } from "../accounts/authorize.ts";
import { findSession, type SessionContext } from "../accounts/find-session.ts";
import type { Deps, RequestInfo } from "../deps.ts";
import { addressHeader } from "../http/serve.ts";
import { newId } from "../kernel/ids.ts";

/** What a procedure knows of its caller. */
export type TrpcContext = {
  deps: Deps;
  info: RequestInfo;
  headers: Headers;
  session: SessionContext | null;
  actor: AccessActor;
};

export const createContext = async (deps: Deps, headers: Headers, info: RequestInfo): Promise<TrpcContext> =>
  contextOf(deps, headers, await findSession(deps, headers.get("cookie")), info);

export const infoOf = (headers: Headers): RequestInfo => ({
  requestId: newId("req"),
  ipAddress: headers.get(addressHeader) ?? "",
  userAgent: (headers.get("user-agent") ?? "").slice(0, 300),
});

export const contextOf = (
  deps: Deps,
  headers: Headers,
  session: SessionContext | null,
  info: RequestInfo = infoOf(headers),
): TrpcContext => ({
  deps,
  headers,
  session,
  info,
  actor: session
    ? {
        kind: "account",
        id: session.account.id,
        isOperator: session.account.isOperator,
        hasRecentProof: isRecentProof(session.authTime, deps.clock.now()),
      }
    : { kind: "visitor" },
});
