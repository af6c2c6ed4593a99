import { type Sql, statement } from "./client.ts";

const updateUndispatched = statement<{ id: string; type: string; objectId: string; sequence: number }>(
  "mark_events_dispatched",
  `UPDATE event SET dispatched_at = $1::timestamptz WHERE (id, created_at) IN (
     SELECT id, created_at FROM event WHERE dispatched_at IS NULL ORDER BY created_at LIMIT $2::int FOR UPDATE SKIP LOCKED
   ) RETURNING id, type, object_id AS "objectId", sequence`,
);

/** Takes undispatched events, oldest first, each for one caller alone; inside the transaction that hands them over. */
export const takeUndispatchedEvents = (sql: Sql, input: { limit: number; now: Date }) =>
  sql.query(updateUndispatched, [input.now, input.limit]);
