import type { OperatorRole } from "../accounts/authorize.ts";
import type { SessionContext } from "../accounts/sessions/find-session.ts";
import { passwordAcr } from "../accounts/sessions/sessions.ts";
import type { Deps } from "../deps/deps.ts";
import { newId } from "../kernel/ids.ts";
import { addSeconds } from "../kernel/time/clock.ts";
import { contextOf } from "./context.ts";
import { createCaller } from "./root.ts";

/** A request of one of our own pages. */
export const sameOrigin = new Headers({ "sec-fetch-site": "same-origin" });

/** A session of an account that has authenticated just now. It is stored only after `storeSession`. */
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

/** Stores the session of `sessionContextOf`, for procedures that change credentials. Its owner is another account. */
export const storeSession = async (deps: Deps): Promise<void> => {
  const now = deps.clock.now();
  const account = { id: newId("acc"), email: "session@example.test", displayName: "S", createdAt: now };
  await deps.db.prisma.account.create({ data: account });
  const times = { createdAt: now, lastSeenAt: now, authTime: now, expiresAt: addSeconds(now, 365 * 86_400) };
  const session = { id: "ses_present", secretHash: newId("ses"), accountId: account.id, acr: passwordAcr };
  await deps.db.prisma.session.create({ data: { ...session, ...times } });
};

/** Calls the procedures as the pages do, for an account that has authenticated just now. */
export const callerOf = (deps: Deps, accountId: string, operatorRole: OperatorRole | null = null) =>
  createCaller(contextOf(deps, { headers: sameOrigin, session: sessionContextOf(deps, accountId, operatorRole) }));
