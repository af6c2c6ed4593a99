import type { OperatorRole } from "../accounts/authorize.ts";
import type { SessionContext } from "../accounts/sessions/find-session.ts";
import { passwordAcr } from "../accounts/sessions/sessions.ts";
import type { Deps } from "../deps/deps.ts";
import { contextOf } from "./context.ts";
import { createCaller } from "./root.ts";

/** A request of one of our own pages. */
export const sameOrigin = new Headers({ "sec-fetch-site": "same-origin" });

/** A session of an account that has authenticated just now. It isn't stored: only `auth` reads the stored session. */
export const sessionContextOf = (
  deps: Deps,
  accountId: string,
  operatorRole: OperatorRole | null = null,
): SessionContext => ({
  sessionId: "ses_present",
  account: { id: accountId, email: "x@example.test", displayName: "X", operatorRole, locale: "en-GB", timeZone: "UTC" },
  authTime: deps.clock.now(),
  acr: passwordAcr,
  hasSecondFactor: true,
});

/** Calls the procedures as the pages do, for an account that has authenticated just now. */
export const callerOf = (deps: Deps, accountId: string, operatorRole: OperatorRole | null = null) =>
  createCaller(contextOf(deps, { headers: sameOrigin, session: sessionContextOf(deps, accountId, operatorRole) }));
