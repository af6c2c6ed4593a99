import { newId } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/text/json.ts";
import { type AuditEntry, auditColumns, auditTypes, auditValues } from "../audit/audit.ts";
import { type Sql, statement } from "../client.ts";

/** The events of mandates and their payments. */
export const paymentEventTypes = [
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
export type PaymentEventType = (typeof paymentEventTypes)[number];

/** The events about invoices, credit notes, subscriptions and budget alerts (docs/spec/billing.md). */
export const billingEventTypes = [
  "invoice.finalized",
  "invoice.paid",
  "invoice.payment_failed",
  "invoice.overdue",
  "invoice.voided",
  "credit_note.created",
  "subscription.updated",
  "budget_alert.triggered",
] as const;
export type BillingEventType = (typeof billingEventTypes)[number];

export const eventTypes = [...paymentEventTypes, ...billingEventTypes] as const;
export type EventType = PaymentEventType | BillingEventType;

const insertEvent = statement<never>(
  "insert_event",
  `INSERT INTO event (id, type, object_id, sequence, data, created_at)
   SELECT $1, $2, $3, coalesce(max(sequence), 0) + 1, $4::jsonb, $5::timestamptz FROM event WHERE object_id = $3`,
);

/**
 * Writes an event to the outbox. Call it in the transaction of the change, while the transaction holds the object's row
 * lock, so that `sequence` has no gaps.
 */
export const appendEvent = async (
  sql: Sql,
  event: { type: EventType; objectId: string; data: JsonObject; at: Date },
): Promise<void> => {
  await sql.query(insertEvent, [newId("evt"), event.type, event.objectId, JSON.stringify(event.data), event.at]);
};

const insertDispatched = statement<never>(
  "insert_dispatched_event",
  `INSERT INTO event (id, type, object_id, sequence, data, created_at, dispatched_at)
   VALUES ($1, $2, $3, $4::int, $5::jsonb, $6::timestamptz, $6::timestamptz)`,
);

type DispatchedEvent = {
  eventId: string;
  eventType: EventType;
  objectId: string;
  sequence: number;
  data: JsonObject;
  at: Date;
};

/** Inserts an event that isn't sent to its usual recipients. The caller creates its deliveries. */
export const insertDispatchedEvent = async (sql: Sql, event: DispatchedEvent): Promise<void> => {
  const { eventId, eventType, objectId, sequence, data, at } = event;
  await sql.query(insertDispatched, [eventId, eventType, objectId, sequence, JSON.stringify(data), at]);
};

/** SQL that inserts events; it follows `auditedEventsWith` in the statement. */
export const insertingEvents = `INSERT INTO event (id, type, object_id, sequence, data, created_at)
   SELECT written.id, written.type, $3, before.sequence + written.place, $4::jsonb, $5::timestamptz
   FROM before, unnest($1::text[], $2::text[]) WITH ORDINALITY AS written (id, type, place)`;

/** SQL: the audit entry, and the sequence of the object's last event. The parameters are `auditedEventsValues`. */
export const auditedEventsWith = `WITH audited AS (
     INSERT INTO audit_entry (${auditColumns("")}) SELECT * FROM unnest(${auditTypes(6)})
   ), before AS (
     SELECT coalesce(max(sequence), 0) AS sequence FROM event WHERE object_id = $3
   )`;

const insertAudited = statement<never>("insert_audited_events", `${auditedEventsWith} ${insertingEvents}`);

export type AuditedEvents = { types: readonly EventType[]; objectId: string; data: JsonObject; at: Date };

/** Ids, types and data: the values for a statement that has the object and the time in other parameters. */
export const eventValues = ({ types, data }: AuditedEvents): [string[], readonly string[], string] => [
  types.map(() => newId("evt")),
  types,
  JSON.stringify(data),
];

/** The values of the first twelve parameters. */
export const auditedEventsValues = (
  events: AuditedEvents,
  entry: AuditEntry,
): (string | Date | readonly string[])[] => {
  const [ids, types, data] = eventValues(events);
  return [ids, types, events.objectId, data, events.at, ...auditValues([entry])];
};

/**
 * Writes events of one object, in order and with the same data, and the audit entry of the actor, in one statement.
 */
export const appendAuditedEvents = async (sql: Sql, events: AuditedEvents, entry: AuditEntry): Promise<void> => {
  await sql.query(insertAudited, auditedEventsValues(events, entry));
};
