import type { JsonObject } from "../../kernel/text/json.ts";
import { type Sql, statement } from "../client.ts";

export type EventRow = {
  id: string;
  type: string;
  objectId: string;
  sequence: number;
  data: JsonObject;
  createdAt: Date;
};

const columns = `id, type, object_id AS "objectId", sequence, data, created_at AS "createdAt"`;

const updateUndispatched = statement<EventRow>(
  "mark_events_dispatched",
  `UPDATE event SET dispatched_at = $1::timestamptz WHERE (id, created_at) IN (
     SELECT id, created_at FROM event WHERE dispatched_at IS NULL ORDER BY created_at LIMIT $2::int FOR UPDATE SKIP LOCKED
   ) RETURNING ${columns}`,
);

/** Claims the oldest undispatched events, each for one caller only, inside the transaction that dispatches them. */
export const takeUndispatchedEvents = (sql: Sql, input: { limit: number; now: Date }) =>
  sql.query(updateUndispatched, [input.now, input.limit]);

type EventKey = { id: string; createdAt: Date };

const select = statement<EventRow>(
  "find_events",
  `SELECT ${columns} FROM event WHERE (id, created_at) IN (SELECT * FROM unnest($1::text[], $2::timestamptz[]))`,
);

export const findEvents = (sql: Sql, keys: readonly EventKey[]): Promise<EventRow[]> =>
  sql.query(select, [keys.map(({ id }) => id), keys.map(({ createdAt }) => createdAt.toISOString())]);

export const findEvent = async (sql: Sql, key: EventKey): Promise<EventRow | null> =>
  (await findEvents(sql, [key]))[0] ?? null;
