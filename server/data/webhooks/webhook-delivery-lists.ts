import { type Sql, statement } from "../client.ts";
import { type WebhookDeliveryRow, webhookDeliveryColumns } from "./webhook-deliveries.ts";

/** A delivery with the current state of its last attempt. */
export type ListedDelivery = WebhookDeliveryRow & {
  lastStatus: number | null;
  lastProblem: string | null;
};

/** Adds the last attempt of each delivery that `rows` selects. */
const withLastAttempt = (rows: string): string =>
  `SELECT d.*, a.status AS "lastStatus", a.problem AS "lastProblem"
     FROM (${rows}) d
     LEFT JOIN LATERAL (
       SELECT status, problem FROM webhook_attempt a
        WHERE a.delivery_id = d.id AND a.delivery_at = d."createdAt" ORDER BY a.number DESC LIMIT 1
     ) a ON true
    ORDER BY d."createdAt" DESC, d.id DESC`;

const filters = `(w.created_at, w.id) < ($2::timestamptz, $3)
            AND ($4::text IS NULL OR w.event_type = $4)
            AND ($5::text IS NULL OR w.state = $5::webhook_delivery_state)
          ORDER BY w.created_at DESC, w.id DESC LIMIT $6::int`;

// Finds the newest deliveries of each endpoint by index, then selects the newest of all these deliveries.
const list = statement<ListedDelivery>(
  "list_webhook_deliveries_of_endpoints",
  withLastAttempt(
    `SELECT own.* FROM unnest($1::text[]) AS endpoint (id) CROSS JOIN LATERAL (
         SELECT ${webhookDeliveryColumns} FROM webhook_delivery w
          WHERE w.endpoint_id = endpoint.id AND ${filters}
       ) own ORDER BY own."createdAt" DESC, own.id DESC LIMIT $6::int`,
  ),
);

// An object has few deliveries.
const listOfObject = statement<ListedDelivery>(
  "list_webhook_deliveries_of_object",
  withLastAttempt(
    `SELECT ${webhookDeliveryColumns} FROM webhook_delivery w
          WHERE w.object_id = $7 AND w.endpoint_id = ANY ($1::text[]) AND ${filters}`,
  ),
);

/** Newest first. Returns `limit` + 1 if there are more. */
export const listDeliveriesOfEndpoints = (
  sql: Sql,
  input: {
    endpointIds: readonly string[];
    before: { createdAt: Date; id: string } | null;
    objectId: string | null;
    eventType: string | null;
    state: WebhookDeliveryRow["state"] | null;
    limit: number;
  },
): Promise<ListedDelivery[]> => {
  const values = [
    input.endpointIds,
    input.before?.createdAt ?? "infinity",
    input.before?.id ?? "",
    input.eventType,
    input.state,
    input.limit + 1,
  ];
  return input.objectId === null ? sql.query(list, values) : sql.query(listOfObject, [...values, input.objectId]);
};

const findMerchant = statement<{ ownerId: string }>(
  "find_webhook_delivery_merchant",
  `SELECT e.owner_id AS "ownerId" FROM webhook_delivery d JOIN webhook_endpoint e ON e.id = d.endpoint_id
    WHERE d.id = $1 AND e.owner_kind = 'merchant'`,
);

/**
 * @returns the merchant that owns the delivery; null for a delivery of an agent or of a deleted endpoint, and for an
 *   unknown delivery.
 */
export const findWebhookDeliveryMerchant = async (sql: Sql, id: string): Promise<string | null> =>
  (await sql.query(findMerchant, [id]))[0]?.ownerId ?? null;
