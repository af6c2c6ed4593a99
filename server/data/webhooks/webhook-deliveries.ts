import { type Sql, statement } from "../client.ts";

export type NewWebhookDelivery = {
  id: string;
  endpointId: string;
  eventId: string;
  eventAt: Date;
  eventType: string;
  objectId: string;
  sequence: number;
};

const insert = statement<never>(
  "insert_webhook_deliveries",
  `INSERT INTO webhook_delivery (id, endpoint_id, event_id, event_at, event_type, object_id, sequence, state, created_at, next_attempt_at, replay_of)
   SELECT id, endpoint_id, event_id, event_at, event_type, object_id, sequence, state::webhook_delivery_state, $9::timestamptz,
          CASE WHEN state = 'pending' THEN $9::timestamptz END, $10
     FROM unnest($1::text[], $2::text[], $3::text[], $4::timestamptz[], $5::text[], $6::text[], $7::int[], $8::text[])
       AS d (id, endpoint_id, event_id, event_at, event_type, object_id, sequence, state)`,
);

/** @param deliveries with state `stopped` if the endpoint is disabled, so that they can be replayed. */
export const insertWebhookDeliveries = async (
  sql: Sql,
  deliveries: readonly (NewWebhookDelivery & { state: "pending" | "stopped" })[],
  { at, replayOf = null }: { at: Date; replayOf?: string | null },
): Promise<void> => {
  if (deliveries.length === 0) return;
  await sql.query(insert, [
    deliveries.map(({ id }) => id),
    deliveries.map(({ endpointId }) => endpointId),
    deliveries.map(({ eventId }) => eventId),
    deliveries.map(({ eventAt }) => eventAt.toISOString()),
    deliveries.map(({ eventType }) => eventType),
    deliveries.map(({ objectId }) => objectId),
    deliveries.map(({ sequence }) => sequence),
    deliveries.map(({ state }) => state),
    at,
    replayOf,
  ]);
};

const stop = statement<never>(
  "stop_webhook_deliveries",
  `WITH held AS (
     SELECT id, created_at FROM webhook_delivery WHERE endpoint_id = $1 AND state = 'pending' AND next_attempt_at IS NOT NULL
      ORDER BY created_at, id FOR UPDATE
   )
   UPDATE webhook_delivery d SET state = 'stopped', next_attempt_at = NULL FROM held
    WHERE d.id = held.id AND d.created_at = held.created_at`,
);

/** Stops all waiting deliveries of an endpoint. The caller holds the endpoint's lock. */
export const stopWebhookDeliveries = async (sql: Sql, endpointId: string): Promise<void> => {
  await sql.query(stop, [endpointId]);
};

export type WebhookDeliveryRow = {
  id: string;
  endpointId: string;
  eventId: string;
  eventAt: Date;
  eventType: string;
  objectId: string;
  sequence: number;
  state: "pending" | "delivered" | "failed" | "stopped";
  attempts: number;
  createdAt: Date;
  nextAttemptAt: Date | null;
  replayOf: string | null;
};

export const webhookDeliveryColumns = `id, endpoint_id AS "endpointId", event_id AS "eventId", event_at AS "eventAt", event_type AS "eventType",
          object_id AS "objectId", sequence, state::text AS state, attempts, created_at AS "createdAt",
          next_attempt_at AS "nextAttemptAt", replay_of AS "replayOf"`;

const find = statement<WebhookDeliveryRow>(
  "find_webhook_delivery",
  `SELECT ${webhookDeliveryColumns} FROM webhook_delivery WHERE id = $1`,
);

export const findWebhookDelivery = async (sql: Sql, id: string): Promise<WebhookDeliveryRow | null> =>
  (await sql.query(find, [id]))[0] ?? null;

const list = statement<WebhookDeliveryRow>(
  "list_webhook_deliveries",
  `SELECT ${webhookDeliveryColumns} FROM webhook_delivery WHERE endpoint_id = $1 AND (created_at, id) < ($2::timestamptz, $3)
    ORDER BY created_at DESC, id DESC LIMIT $4::int`,
);

/** The newest deliveries before a cursor, newest first. */
export const listWebhookDeliveries = (
  sql: Sql,
  input: { endpointId: string; before: { createdAt: Date; id: string } | null; limit: number },
): Promise<WebhookDeliveryRow[]> =>
  sql.query(list, [input.endpointId, input.before?.createdAt ?? "infinity", input.before?.id ?? "", input.limit]);

export type WebhookAttemptRow = {
  deliveryId: string;
  number: number;
  url: string;
  startedAt: Date;
  endedAt: Date | null;
  milliseconds: number | null;
  status: number | null;
  problem: string | null;
  bodyStart: string | null;
};

const listAttempts = statement<WebhookAttemptRow>(
  "list_webhook_attempts",
  `SELECT delivery_id AS "deliveryId", number, url, started_at AS "startedAt", ended_at AS "endedAt", milliseconds, status,
          problem, body_start AS "bodyStart"
     FROM webhook_attempt WHERE delivery_id = $1 AND delivery_at = $2::timestamptz ORDER BY number`,
);

export const listWebhookAttempts = (
  sql: Sql,
  delivery: { id: string; createdAt: Date },
): Promise<WebhookAttemptRow[]> => sql.query(listAttempts, [delivery.id, delivery.createdAt]);
