import { type Sql, statement } from "../client.ts";

export type SubscriberRow = {
  id: string;
  kind: "email" | "webhook";
  /** empty: all */
  components: string[];
  /** it is told of what became public from then on; null: it was asked for and not yet confirmed */
  confirmedAt: Date | null;
};

/** What became public this long ago may not have been told yet to those who had chosen its components: mail takes its time. */
const notificationSeconds = 600;

/** Of one who chooses components: from $2 on it is told of those that are new to it, and goes on with the others. */
const confirmedFrom = (chosen: string): string =>
  `CASE WHEN confirmed_at IS NULL THEN $2::timestamptz
        WHEN components = '{}' OR (${chosen} <> '{}' AND ${chosen} <@ components) THEN confirmed_at
        ELSE greatest(confirmed_at, $2::timestamptz - interval '${notificationSeconds} seconds') END`;

const request = statement<{ id: string }>(
  "wish_status_subscription",
  `INSERT INTO status_subscriber (id, kind, address_hash, address_sealed, components, wished_components, confirm_hash, confirm_expires_at, created_at)
   VALUES ($1, 'email', $2, convert_to($3, 'UTF8'), '{}', $4::text[], $5, $6::timestamptz, $7::timestamptz)
   ON CONFLICT (kind, address_hash) DO UPDATE SET
     wished_components = excluded.wished_components, confirm_hash = excluded.confirm_hash, confirm_expires_at = excluded.confirm_expires_at
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
  /** a confirmation that ends later than this was asked for a moment ago: it stands, and no other is sent. One that ends
   * later than this one would was asked for before the clock stepped back, and delays no caller. */
  resendIfExpiresBy: Date;
};

/**
 * Keeps what an address is said to want until it is confirmed; what a subscriber has stays as it is until then.
 * @returns the subscriber's id, or null where a confirmation was sent there a moment ago.
 */
export const requestSubscription = async (sql: Sql, wished: SubscriptionRequest): Promise<string | null> => {
  const [row] = await sql.query(request, [
    wished.id,
    wished.addressHash,
    wished.addressSealed,
    wished.components,
    wished.confirmHash,
    wished.confirmExpiresAt,
    wished.createdAt,
    wished.resendIfExpiresBy,
  ]);
  return row?.id ?? null;
};

const confirm = statement<SubscriberRow>(
  "confirm_status_subscription",
  `UPDATE status_subscriber SET components = wished_components, confirmed_at = ${confirmedFrom("wished_components")}, confirm_hash = NULL
    WHERE confirm_hash = $1 AND confirm_expires_at > $2::timestamptz
   RETURNING id, kind::text AS kind, components, confirmed_at AS "confirmedAt"`,
);

/** At most one caller per token gets the subscriber; every other gets null. */
export const confirmSubscriber = async (
  sql: Sql,
  { confirmHash, at }: { confirmHash: string; at: Date },
): Promise<SubscriberRow | null> => (await sql.query(confirm, [confirmHash, at]))[0] ?? null;

const insertWebhook = statement<{ id: string }>(
  "insert_status_webhook",
  `INSERT INTO status_subscriber (id, kind, address_hash, address_sealed, secret_sealed, components, wished_components, confirmed_at, created_at)
   VALUES ($1, 'webhook', $2, convert_to($3, 'UTF8'), convert_to($4, 'UTF8'), $5::text[], '{}', $6::timestamptz, $6::timestamptz)
   ON CONFLICT (kind, address_hash) DO NOTHING RETURNING id`,
);

/** @returns false where that address is subscribed already. */
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

/** `unknown` where it is nobody's, or not confirmed. */
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

/** With all that was kept of what it was told. @returns false where it had gone before. */
export const removeSubscriber = async (sql: Sql, id: string): Promise<boolean> =>
  (await sql.query(remove, [id])).length === 1;

const restore = statement<never>(
  "put_back_status_subscriber",
  `INSERT INTO status_subscriber (id, kind, address_hash, address_sealed, secret_sealed, components, wished_components, confirmed_at, created_at)
   VALUES ($1, $2::subscriber_kind, $3, decode($4, 'base64'), decode($5, 'base64'), $6::text[], '{}', $7::timestamptz, $7::timestamptz)
   ON CONFLICT (kind, address_hash) DO UPDATE SET components = excluded.components, confirmed_at = greatest(status_subscriber.confirmed_at, excluded.confirmed_at)`,
);

type ConfirmedSubscriber = Omit<SubscriberRow, "confirmedAt"> & {
  addressHash: string;
  addressSealed: Uint8Array;
  secretSealed: Uint8Array | null;
  confirmedAt: Date;
};

/** As they were; where the address has another row, that one gets what was chosen. */
export const restoreSubscriber = async (sql: Sql, row: ConfirmedSubscriber): Promise<void> => {
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
