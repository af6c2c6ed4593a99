import type { Subscriber } from "../../status/rules/board.ts";
import { type Sql, statement } from "../client.ts";

export type SubscriberRow = Pick<Subscriber, "id" | "kind"> & {
  /** empty: all */
  components: string[];
  /** receives updates published at this time or later; null: requested and not confirmed yet */
  confirmedAt: Date | null;
};

/** Notices about updates that were published within this time may not have been sent yet. */
const notificationSeconds = 600;

/**
 * SQL: the new `confirmed_at` of a subscriber that selects components at $2. The first confirmation sets it to $2.
 * Later, it stays unchanged if the subscriber already had all of the components. Otherwise it moves forward to ten
 * minutes before $2, so that the subscriber gets no notices about older updates. It doesn't move to $2 itself, because
 * notices of the last ten minutes about the components that were selected before the change may not have been sent yet.
 */
const confirmedFrom = (chosen: string): string =>
  `CASE WHEN confirmed_at IS NULL THEN $2::timestamptz
        WHEN components = '{}' OR (${chosen} <> '{}' AND ${chosen} <@ components) THEN confirmed_at
        ELSE greatest(confirmed_at, $2::timestamptz - interval '${notificationSeconds} seconds') END`;

const upsertRequest = statement<{ id: string }>(
  "request_status_subscription",
  `INSERT INTO status_subscriber (id, kind, address_hash, address_sealed, components, requested_components, confirm_hash, confirm_expires_at, created_at)
   VALUES ($1, 'email', $2, convert_to($3, 'UTF8'), '{}', $4::text[], $5, $6::timestamptz, $7::timestamptz)
   ON CONFLICT (kind, address_hash) DO UPDATE SET
     requested_components = excluded.requested_components, confirm_hash = excluded.confirm_hash, confirm_expires_at = excluded.confirm_expires_at
   WHERE status_subscriber.confirm_expires_at IS NULL OR status_subscriber.confirm_expires_at <= $8::timestamptz
      OR status_subscriber.confirm_expires_at > excluded.confirm_expires_at + interval '1 minute'
   RETURNING id`,
);

type SubscriptionRequest = {
  id: string;
  addressHash: string;
  addressSealed: string;
  components: readonly string[];
  confirmHash: string;
  confirmExpiresAt: Date;
  createdAt: Date;
  /**
   * If a pending confirmation expires after this time, it was sent recently: it stays valid, and no new one is sent.
   * Exception: if it expires more than a minute after `confirmExpiresAt`, the clock was set back since it was sent.
   * Then it is replaced.
   */
  resendIfExpiresBy: Date;
};

/**
 * Stores the requested components until the address is confirmed. An existing subscription doesn't change until then.
 * @returns the subscriber's id; null if a confirmation was sent to the address recently.
 */
export const requestSubscription = async (sql: Sql, request: SubscriptionRequest): Promise<string | null> => {
  const [row] = await sql.query(upsertRequest, [
    request.id,
    request.addressHash,
    request.addressSealed,
    request.components,
    request.confirmHash,
    request.confirmExpiresAt,
    request.createdAt,
    request.resendIfExpiresBy,
  ]);
  return row?.id ?? null;
};

const confirm = statement<SubscriberRow>(
  "confirm_status_subscription",
  `UPDATE status_subscriber SET components = requested_components, confirmed_at = ${confirmedFrom("requested_components")}, confirm_hash = NULL
    WHERE confirm_hash = $1 AND confirm_expires_at > $2::timestamptz
   RETURNING id, kind::text AS kind, components, confirmed_at AS "confirmedAt"`,
);

/** At most one caller per token gets the subscriber; every other caller gets null. */
export const confirmSubscriber = async (
  sql: Sql,
  { confirmHash, at }: { confirmHash: string; at: Date },
): Promise<SubscriberRow | null> => (await sql.query(confirm, [confirmHash, at]))[0] ?? null;

const insertWebhook = statement<{ id: string }>(
  "insert_status_webhook",
  `INSERT INTO status_subscriber (id, kind, address_hash, address_sealed, secret_sealed, components, requested_components, confirmed_at, created_at)
   VALUES ($1, 'webhook', $2, convert_to($3, 'UTF8'), convert_to($4, 'UTF8'), $5::text[], '{}', $6::timestamptz, $6::timestamptz)
   ON CONFLICT (kind, address_hash) DO NOTHING RETURNING id`,
);

/** @returns false if the address is already subscribed. */
export const insertWebhookSubscriber = async (
  sql: Sql,
  row: {
    id: string;
    addressHash: string;
    addressSealed: string;
    secretSealed: string;
    components: readonly string[];
    at: Date;
  },
): Promise<boolean> => {
  const values = [row.id, row.addressHash, row.addressSealed, row.secretSealed, row.components, row.at];
  return (await sql.query(insertWebhook, values)).length === 1;
};

const findById = statement<SubscriberRow>(
  "find_status_subscriber",
  `SELECT id, kind::text AS kind, components, confirmed_at AS "confirmedAt" FROM status_subscriber WHERE id = $1`,
);

export const findSubscriberById = async (sql: Sql, id: string): Promise<SubscriberRow | null> =>
  (await sql.query(findById, [id]))[0] ?? null;

const change = statement<{ id: string }>(
  "change_status_subscription",
  `UPDATE status_subscriber SET components = $3::text[], confirmed_at = ${confirmedFrom("$3::text[]")}
    WHERE id = $1 AND confirmed_at IS NOT NULL AND NOT (components @> $3::text[] AND components <@ $3::text[]) RETURNING id`,
);

/** @returns `unknown` if there is no confirmed subscriber with this id. */
export const changeSubscriber = async (
  sql: Sql,
  { id, components, at }: { id: string; components: readonly string[]; at: Date },
): Promise<"changed" | "same" | "unknown"> => {
  if ((await sql.query(change, [id, at, components])).length === 1) return "changed";
  return (await findSubscriberById(sql, id))?.confirmedAt ? "same" : "unknown";
};

const remove = statement<{ id: string }>(
  "remove_status_subscriber",
  "DELETE FROM status_subscriber WHERE id = $1 RETURNING id",
);

/** Removes the subscriber with its notices. @returns false if it was already removed. */
export const removeSubscriber = async (sql: Sql, id: string): Promise<boolean> =>
  (await sql.query(remove, [id])).length === 1;

const restore = statement<never>(
  "restore_status_subscriber",
  `INSERT INTO status_subscriber (id, kind, address_hash, address_sealed, secret_sealed, components, requested_components, confirmed_at, created_at)
   VALUES ($1, $2::subscriber_kind, $3, decode($4, 'base64'), decode($5, 'base64'), $6::text[], '{}', $7::timestamptz, $7::timestamptz)
   ON CONFLICT (kind, address_hash) DO UPDATE SET components = excluded.components, confirmed_at = greatest(status_subscriber.confirmed_at, excluded.confirmed_at)`,
);

/** If the address already has a row with another id, that row gets the components of `row`. */
export const restoreSubscriber = async (sql: Sql, row: Subscriber): Promise<void> => {
  const base64 = (bytes: Uint8Array | null) => bytes && Buffer.from(bytes).toString("base64");
  await sql.query(restore, [
    row.id,
    row.kind,
    row.addressHash,
    base64(row.addressSealed),
    base64(row.secretSealed),
    row.components,
    row.confirmedAt,
  ]);
};
