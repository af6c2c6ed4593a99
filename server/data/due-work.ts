import { type Sql, statement } from "./client.ts";
import { coalesceByPool } from "./coalesce.ts";

/** What waits for a worker: of each kind whether there is any of it. */
export type DueWork = {
  /** events that were not handed over */
  events: boolean;
  /** deliveries of webhooks whose next try is due */
  webhooks: boolean;
  mail: boolean;
  /** charges that are to be looked up */
  charges: boolean;
  /** when the first approval or authorization is over, in business time, whether or not somebody is at it; null where none will be */
  chargesExpireAt: Date | null;
  refunds: boolean;
};

/** Each in the order of the index of what is due, as whoever takes it asks: none of these reads more than its first row. */
const find = statement<DueWork>(
  "find_due_work",
  `SELECT
     (SELECT true FROM event WHERE dispatched_at IS NULL ORDER BY created_at LIMIT 1) IS TRUE AS events,
     (SELECT true FROM webhook_delivery WHERE state = 'pending' AND next_attempt_at <= $1::timestamptz
       ORDER BY next_attempt_at LIMIT 1) IS TRUE AS webhooks,
     (SELECT true FROM mail WHERE state = 'pending' AND next_attempt_at <= $1::timestamptz
       ORDER BY next_attempt_at LIMIT 1) IS TRUE AS mail,
     (SELECT true FROM charge WHERE next_lookup_at <= $1::timestamptz ORDER BY next_lookup_at LIMIT 1) IS TRUE AS charges,
     (SELECT expires_at FROM charge WHERE expires_at IS NOT NULL ORDER BY expires_at LIMIT 1) AS "chargesExpireAt",
     (SELECT true FROM refund WHERE next_lookup_at <= $1::timestamptz ORDER BY next_lookup_at LIMIT 1) IS TRUE AS refunds`,
);

/** Those who ask at the same moment are told by one statement, as of the last one's time. */
export const findDueWork: (sql: Sql, now: Date) => Promise<DueWork> = coalesceByPool(
  async (sql: Sql, times: readonly Date[]) => {
    const [due] = await sql.query(find, [times.at(-1) ?? null]);
    return due ? times.map(() => due) : [];
  },
);
