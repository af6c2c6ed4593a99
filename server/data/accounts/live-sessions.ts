import { type Sql, statement } from "../client.ts";

export type LiveSession = { id: string; createdAt: Date; lastSeenAt: Date; userAgent: string; ipAddress: string };

const isLive = "s.account_id = $1 AND s.revoked_at IS NULL AND s.expires_at > $2::timestamptz";

// The session that is the cursor may have ended in the meantime. If it belongs to another account, the page is empty.
const list = statement<LiveSession>(
  "find_live_sessions",
  `SELECT s.id, s.created_at AS "createdAt", s.last_seen_at AS "lastSeenAt", s.user_agent AS "userAgent",
     s.ip_address AS "ipAddress"
   FROM session s
   WHERE ${isLive} AND ($3::text IS NULL OR (s.last_seen_at, s.id) <
     (SELECT last_seen_at, id FROM session WHERE id = $3 AND account_id = $1))
   ORDER BY s.last_seen_at DESC, s.id DESC LIMIT $4::int`,
);

/** The session that was used last first. Returns `limit` + 1 if there are more. */
export const findLiveSessions = (
  sql: Sql,
  input: { accountId: string; at: Date; startingAfter: string | null; limit: number },
): Promise<LiveSession[]> => sql.query(list, [input.accountId, input.at, input.startingAfter, input.limit + 1]);

const count = statement<{ count: number }>(
  "count_live_sessions",
  `SELECT count(*)::int AS count FROM session s WHERE ${isLive}`,
);

export const countLiveSessions = async (
  sql: Sql,
  { accountId, at }: { accountId: string; at: Date },
): Promise<number> => (await sql.query(count, [accountId, at]))[0]?.count ?? 0;
