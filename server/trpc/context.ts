import { type AccessActor, isRecentProof } from "../accounts/authorize.ts";
import { findSession, type SessionContext } from "../accounts/sessions/find-session.ts";
import { requestInfoOf } from "../contract/request-info.ts";
import type { Deps, RequestInfo } from "../deps/deps.ts";

/** What a procedure knows of its caller. */
export type TrpcContext = {
  deps: Deps;
  info: RequestInfo;
  headers: Headers;
  session: SessionContext | null;
  actor: AccessActor;
  /** takes note of each procedure that is called by HTTP; null for a page, which has a request line of its own */
  observe: ((call: ObservedCall) => void) | null;
};

export type ObservedCall = { path: string; status: number; milliseconds: number };

export const createContext = async (
  deps: Deps,
  headers: Headers,
  { info, observe }: Pick<TrpcContext, "info" | "observe">,
): Promise<TrpcContext> => ({
  ...contextOf(deps, headers, await findSession(deps, headers.get("cookie")), info),
  observe,
});

export const contextOf = (
  deps: Deps,
  headers: Headers,
  session: SessionContext | null,
  info: RequestInfo = requestInfoOf(headers),
): TrpcContext => ({
  deps,
  headers,
  session,
  info,
  observe: null,
  actor: session
    ? {
        kind: "account",
        id: session.account.id,
        isOperator: session.account.isOperator,
        hasRecentProof: isRecentProof(session.authTime, deps.clock.now()),
      }
    : { kind: "visitor" },
});
