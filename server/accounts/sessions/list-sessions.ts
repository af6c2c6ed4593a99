import { countLiveSessions, findLiveSessions } from "../../data/accounts/live-sessions.ts";
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

/** A page of an account's live sessions, last used first. `count` is the number of all live sessions. */
export const listSessions = async (
  { db, clock, places }: Pick<Deps, "db" | "clock" | "places">,
  { accountId, startingAfter = null, limit }: { accountId: string; startingAfter?: string | null; limit: number },
): Promise<{ sessions: SessionView[]; hasMore: boolean; count: number }> => {
  const at = clock.now();
  const [rows, count] = await Promise.all([
    findLiveSessions(db.sql, { accountId, at, startingAfter, limit }),
    countLiveSessions(db.sql, { accountId, at }),
  ]);
  const sessions = rows.slice(0, limit).map((session) => ({ ...session, place: places.find(session.ipAddress) }));
  return { sessions, hasMore: rows.length > limit, count };
};
