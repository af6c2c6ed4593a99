import { newId } from "../kernel/ids.ts";
import type { JsonObject } from "../kernel/json.ts";
import { type Sql, statement } from "./client.ts";

/** What happens, as it is told. */
export const eventTypes = [
  "mandate.activated",
  "mandate.updated",
  "mandate.suspended",
  "mandate.resumed",
  "mandate.revoked",
  "mandate.expired",
  "mandate.consumed",
  "mandate.limit_approaching",
  "charge.authorized",
  "charge.succeeded",
  "charge.declined",
  "charge.requires_action",
  "charge.unknown",
  "charge.reconciled",
  "charge.captured",
  "charge.voided",
  "charge.expired",
  "refund.succeeded",
  "refund.failed",
  "dispute.opened",
  "dispute.closed",
] as const;
export type EventType = (typeof eventTypes)[number];

const insertEvent = statement<never>(
  "insert_event",
  `INSERT INTO event (id, type, object_id, sequence, data, created_at)
   SELECT $1, $2, $3, coalesce(max(sequence), 0) + 1, $4::jsonb, $5::timestamptz FROM event WHERE object_id = $3`,
);

/** Outbox: call it in the transaction of the change, while it holds the object's row lock, so that `sequence` is gapless. */
export const appendEvent = async (
  sql: Sql,
  event: { type: EventType; objectId: string; data: JsonObject; at: Date },
): Promise<void> => {
  await sql.query(insertEvent, [newId("evt"), event.type, event.objectId, JSON.stringify(event.data), event.at]);
};
