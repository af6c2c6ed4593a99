import { type Sql, statement } from "../client.ts";

export type WebhookOwner = { kind: "client" | "merchant"; id: string };

export type WebhookEndpointRow = {
  id: string;
  ownerKind: "client" | "merchant";
  ownerId: string;
  url: string;
  createdAt: Date;
  disabledAt: Date | null;
  /** `gone`: its receiver returned status 410 */
  disabledReason: "owner" | "failing" | "gone" | null;
  succeededAt: Date | null;
  /** empty: every type */
  eventTypes: string[];
};

const columns = `id, owner_kind::text AS "ownerKind", owner_id AS "ownerId", url, created_at AS "createdAt",
          disabled_at AS "disabledAt", disabled_reason AS "disabledReason", succeeded_at AS "succeededAt",
          event_types AS "eventTypes"`;

const insert = statement<never>(
  "insert_webhook_endpoint",
  `INSERT INTO webhook_endpoint (id, owner_kind, owner_id, url, created_at, event_types)
   VALUES ($1, $2::webhook_owner_kind, $3, $4, $5::timestamptz, $6::text[])`,
);

export const insertWebhookEndpoint = async (
  sql: Sql,
  endpoint: { id: string; owner: WebhookOwner; url: string; eventTypes: readonly string[]; createdAt: Date },
): Promise<void> => {
  const { id, owner, url, eventTypes, createdAt } = endpoint;
  await sql.query(insert, [id, owner.kind, owner.id, url, createdAt, eventTypes]);
};

const selectOfOwners = statement<WebhookEndpointRow>(
  "list_webhook_endpoints",
  `SELECT ${columns} FROM webhook_endpoint WHERE owner_id = ANY ($1::text[]) ORDER BY created_at, id`,
);

/** Endpoints of all the owners, enabled or not. */
export const listWebhookEndpoints = (sql: Sql, ownerIds: readonly string[]): Promise<WebhookEndpointRow[]> =>
  sql.query(selectOfOwners, [ownerIds]);

const selectOwner = statement<{ ownerId: string }>(
  "find_webhook_endpoint_merchant",
  "SELECT owner_id AS \"ownerId\" FROM webhook_endpoint WHERE id = $1 AND owner_kind = 'merchant'",
);

/** @returns the merchant that owns the endpoint; null for an agent's endpoint and for an unknown one. */
export const findWebhookEndpointMerchant = async (sql: Sql, id: string): Promise<string | null> =>
  (await sql.query(selectOwner, [id]))[0]?.ownerId ?? null;

const lockOfOwners = statement<WebhookEndpointRow>(
  "hold_webhook_endpoints",
  `SELECT ${columns} FROM webhook_endpoint WHERE owner_id = ANY ($1::text[]) ORDER BY id FOR SHARE`,
);

/** Locks the endpoints of all the owners: until the transaction ends, none is disabled, enabled or deleted. */
export const lockWebhookEndpointsOf = (sql: Sql, ownerIds: readonly string[]): Promise<WebhookEndpointRow[]> =>
  sql.query(lockOfOwners, [ownerIds]);

const lockOwner = statement<never>(
  "lock_webhook_owner",
  "SELECT pg_advisory_xact_lock(hashtextextended('paygrant.webhooks.' || $1, 0))",
);

/** Serializes changes of an owner's endpoints, so that their number can be checked. */
export const lockWebhookOwner = async (sql: Sql, ownerId: string): Promise<void> => {
  await sql.query(lockOwner, [ownerId]);
};

const lock = statement<WebhookEndpointRow>(
  "lock_webhook_endpoint",
  `SELECT ${columns} FROM webhook_endpoint WHERE id = $1 FOR NO KEY UPDATE`,
);

/** Lock the endpoint before its deliveries. */
export const lockWebhookEndpoint = async (sql: Sql, id: string): Promise<WebhookEndpointRow | null> =>
  (await sql.query(lock, [id]))[0] ?? null;

const setUrl = statement<never>("set_webhook_url", "UPDATE webhook_endpoint SET url = $2 WHERE id = $1");

export const setWebhookUrl = async (sql: Sql, id: string, url: string): Promise<void> => {
  await sql.query(setUrl, [id, url]);
};

const setEventTypes = statement<never>(
  "set_webhook_event_types",
  "UPDATE webhook_endpoint SET event_types = $2::text[] WHERE id = $1",
);

export const setWebhookEventTypes = async (sql: Sql, id: string, eventTypes: readonly string[]): Promise<void> => {
  await sql.query(setEventTypes, [id, eventTypes]);
};

const turnOff = statement<never>(
  "disable_webhook_endpoint",
  "UPDATE webhook_endpoint SET disabled_at = $2::timestamptz, disabled_reason = $3 WHERE id = $1",
);

export const disableWebhookEndpoint = async (
  sql: Sql,
  id: string,
  off: { at: Date; reason: "owner" | "failing" | "gone" },
): Promise<void> => {
  await sql.query(turnOff, [id, off.at, off.reason]);
};

const turnOn = statement<never>(
  "enable_webhook_endpoint",
  "UPDATE webhook_endpoint SET disabled_at = NULL, disabled_reason = NULL WHERE id = $1",
);

export const enableWebhookEndpoint = async (sql: Sql, id: string): Promise<void> => {
  await sql.query(turnOn, [id]);
};

const markSuccess = statement<never>(
  "mark_webhook_success",
  `UPDATE webhook_endpoint SET succeeded_at = $2::timestamptz
    WHERE id = $1 AND (succeeded_at IS NULL OR succeeded_at NOT BETWEEN $2::timestamptz - interval '1 minute' AND $2::timestamptz)`,
);

/** Records a success at most once a minute, so that deliveries at a high rate don't queue at the endpoint's row. */
export const markWebhookSuccess = async (sql: Sql, id: string, at: Date): Promise<void> => {
  await sql.query(markSuccess, [id, at]);
};

const remove = statement<never>("delete_webhook_endpoint", "DELETE FROM webhook_endpoint WHERE id = $1");

/** Deletes an endpoint and its secrets. Its deliveries are deleted when they expire. */
export const deleteWebhookEndpoint = async (sql: Sql, id: string): Promise<void> => {
  await sql.query(remove, [id]);
};
