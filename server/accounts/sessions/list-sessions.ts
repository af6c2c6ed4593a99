import { findLiveSessionsOfAccount } from "../../data/accounts/accounts.ts";
import type { Deps } from "../../deps/deps.ts";
import type { Place } from "../../deps/places.ts";

export type SessionView = {
  id: string;
  createdAt: Date;
  lastSeenAt: Date;
  userAgent: string;
  ipAddress: string;
  /** place of the IP address; null if the place is unknown or no database of places is configured */
  place: Place | null;
};

/** Live sessions of one account, last used first. */
export const listSessions = async (
  { db, clock, places }: Pick<Deps, "db" | "clock" | "places">,
  input: { accountId: string },
): Promise<SessionView[]> => {
  const sessions = await findLiveSessionsOfAccount(db, input.accountId, clock.now());
  return sessions.map((session) => ({ ...session, place: places.find(session.ipAddress) }));
};
