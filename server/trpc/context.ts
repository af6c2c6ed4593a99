import type { AccessActor } from "../accounts/authorize.ts";
import { findSession, type SessionContext } from "../accounts/sessions/find-session.ts";
import { sessionActor } from "../accounts/sessions/session-actor.ts";
import { requestInfoOf } from "../contract/request-info.ts";
import { forReading } from "../data/replica/for-reading.ts";
import type { Deps, RequestInfo } from "../deps/deps.ts";

/** The caller and the request of a procedure. */
export type TrpcContext = {
  deps: Deps;
  info: RequestInfo;
  headers: Headers;
  session: SessionContext | null;
  actor: AccessActor;
  /** the only merchant whose objects a page of the dashboard may read: the selected one; null: no restriction */
  onlyMerchantId: string | null;
  /** logs each procedure that is called by HTTP; null for a page, whose request is logged separately */
  observe: ((call: ObservedCall) => void) | null;
  /** for procedures that read a replica: all procedures of a request read the same server */
  readingDeps(): Deps;
  /** `set-cookie` headers of the response, added by mutations; pages can't set cookies */
  cookies: string[];
};

export type ObservedCall = { path: string; status: number; milliseconds: number };

export const createContext = async (
  deps: Deps,
  headers: Headers,
  { info, observe }: Pick<TrpcContext, "info" | "observe">,
): Promise<TrpcContext> => ({
  ...contextOf(deps, { headers, session: await findSession(deps, headers.get("cookie")), info }),
  observe,
});

type ContextInput = Pick<TrpcContext, "headers" | "session"> & { info?: RequestInfo };

export const contextOf = (
  deps: Deps,
  { headers, session, info = requestInfoOf(headers) }: ContextInput,
): TrpcContext => {
  let reading: Deps | undefined;
  return {
    deps,
    readingDeps: () => {
      reading ??= forReading(deps, headers.get("cookie"));
      return reading;
    },
    headers,
    session,
    info,
    observe: null,
    cookies: [],
    onlyMerchantId: null,
    actor: session ? sessionActor(deps, session) : { kind: "visitor" },
  };
};
