import { findLiveSessionsOfAccount } from "../../data/accounts/accounts.ts";
import type { Deps } from "../../deps/deps.ts";

export type SessionView = {
  id: string;
  createdAt: Date;
  lastSeenAt: Date;
  userAgent: string;
  ipAddress: string;
};

/** Live sessions of one account, last used first. */
export const listSessions = (deps: Pick<Deps, "db" | "clock">, input: { accountId: string }): Promise<SessionView[]> =>
  findLiveSessionsOfAccount(deps.db, input.accountId, deps.clock.now());
