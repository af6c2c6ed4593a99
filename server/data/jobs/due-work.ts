import { type Sql, statement } from "../client.ts";

/** What waits for a worker: of each kind whether there is any of it. */
export type DueWork = {
  /** charges that are to be looked up */
  charges: boolean;
  /** when the first approval or authorization is over, in business time, whether or not somebody is at it; null where none will be */
  chargesExpireAt: Date | null;
  /** events that were not handed over */
  events: boolean;
  mail: boolean;
  refunds: boolean;
  /** deliveries of webhooks whose next try is due */
  webhooks: boolean;
};

/**
 * Each in the order of the index of what is due, as whoever takes it asks: none of these reads more than its first row. The
 * tables are named in the order in which TRUNCATE locks them, so that the two never wait for each other in a circle.
 */
const find = statement<DueWork>(
  "find_due_work",
  `SELECT
     (SELECT true FROM charge WHERE next_lookup_at <= $1::timestamptz ORDER BY next_lookup_at LIMIT 1) IS TRUE AS charges,
     (SELECT expires_at FROM charge WHERE expires_at IS NOT NULL ORDER BY expires_at LIMIT 1) AS "chargesExpireAt",
     (SELECT true FROM event WHERE dispatched_at IS NULL ORDER BY created_at LIMIT 1) IS TRUE AS events,
     (SELECT true FROM mail WHERE state = 'pending' AND next_attempt_at <= $1::timestamptz
       ORDER BY next_attempt_at LIMIT 1) IS TRUE AS mail,
     (SELECT true FROM refund WHERE next_lookup_at <= $1::timestamptz ORDER BY next_lookup_at LIMIT 1) IS TRUE AS refunds,
     (SELECT true FROM webhook_delivery WHERE state = 'pending' AND next_attempt_at <= $1::timestamptz
       ORDER BY next_attempt_at LIMIT 1) IS TRUE AS webhooks`,
);

export const findDueWork = async (sql: Sql, now: Date): Promise<DueWork> => {
  const [due] = await sql.query(find, [now]);
  if (!due) throw new Error("what is due has no answer");
  return due;
};
