import { type Sql, statement } from "../client.ts";

export type FetchedKeySet = {
  jwks: { keys: Record<string, string>[] };
  keyThumbprintHashes: string[];
  loadedAt: Date;
  expiresAt: Date;
};

/** A stored key set. Each load gets a new number. */
export type LoadedKeySet = FetchedKeySet & { generation: number };

export type KeySetOwner = {
  jwksUri: string | null;
  /** hashes of the thumbprints of the keys in use */
  keyThumbprintHashes: string[];
  /** null before the first load, like the fields below */
  jwks: FetchedKeySet["jwks"] | null;
  generation: number | null;
  loadedAt: Date | null;
  expiresAt: Date | null;
  retryAt: Date | null;
  refetchedAt: Date | null;
  isRefetching: boolean | null;
};

const ownerQuery = `SELECT c.jwks_uri AS "jwksUri", coalesce(c.key_thumbprint_hashes, '{}') AS "keyThumbprintHashes",
          s.jwks, s.generation, s.loaded_at AS "loadedAt", s.expires_at AS "expiresAt", s.retry_at AS "retryAt",
          s.refetched_at AS "refetchedAt", s.is_refetching AS "isRefetching"
     FROM client c LEFT JOIN client_key_set s ON s.client_id = c.id WHERE c.id = $1 AND c.deleted_at IS NULL`;

const selectOwner = statement<KeySetOwner>("find_client_key_set", ownerQuery);

/** The most recent load of any process; null for an unknown or deleted client. */
export const findKeySetOwner = async (sql: Sql, clientId: string): Promise<KeySetOwner | null> =>
  (await sql.query(selectOwner, [clientId]))[0] ?? null;

const lockOwner = statement<KeySetOwner>("lock_client_key_set", `${ownerQuery} FOR NO KEY UPDATE OF c`);

/** Locks the client, so that its loaded key sets are stored one after another. */
export const lockKeySetOwner = async (sql: Sql, clientId: string): Promise<KeySetOwner | null> =>
  (await sql.query(lockOwner, [clientId]))[0] ?? null;

const upsertKeySet = statement<{ generation: number }>(
  "save_client_key_set",
  `INSERT INTO client_key_set AS s (client_id, jwks, loaded_at, expires_at)
   VALUES ($1, $2::jsonb, $3::timestamptz, $4::timestamptz)
   ON CONFLICT (client_id) DO UPDATE
     SET jwks = excluded.jwks, loaded_at = excluded.loaded_at, expires_at = excluded.expires_at,
         generation = s.generation + 1, retry_at = NULL, is_refetching = false
   RETURNING generation`,
);

/** Call it in a transaction that locks the client's row. @returns the load's number. */
export const saveClientKeySet = async (sql: Sql, clientId: string, fetched: FetchedKeySet): Promise<number> => {
  const values = [clientId, JSON.stringify(fetched.jwks), fetched.loadedAt, fetched.expiresAt];
  const [row] = await sql.query(upsertKeySet, values);
  if (!row) throw new Error("the key set was not stored");
  return row.generation;
};

const updateHashes = statement<never>(
  "update_client_key_hashes",
  "UPDATE client SET key_thumbprint_hashes = $2::text[], version = version + 1 WHERE id = $1",
);

/** Records a change of the keys, so that cached copies of the client in other processes become stale. */
export const updateClientKeyHashes = async (sql: Sql, clientId: string, hashes: readonly string[]): Promise<void> => {
  await sql.query(updateHashes, [clientId, hashes]);
};

const deferLoads = statement<never>(
  "defer_client_key_load",
  "UPDATE client_key_set SET retry_at = $2::timestamptz, is_refetching = false WHERE client_id = $1",
);

export const deferClientKeyLoad = async (sql: Sql, clientId: string, retryAt: Date): Promise<void> => {
  await sql.query(deferLoads, [clientId, retryAt]);
};

const takeTurn = statement<{ client_id: string }>(
  "take_client_key_refetch",
  `UPDATE client_key_set SET refetched_at = $2::timestamptz, is_refetching = true
    WHERE client_id = $1 AND (refetched_at IS NULL OR refetched_at <= $3::timestamptz
                              OR refetched_at > $2::timestamptz + interval '1 minute') RETURNING client_id`,
);

/**
 * For each client, at most one caller over all processes gets true in the time from `before` to `now`. A stored time in
 * the future was written before the clock stepped back, and is ignored.
 */
export const takeClientKeyRefetch = async (
  sql: Sql,
  input: { clientId: string; now: Date; before: Date },
): Promise<boolean> => (await sql.query(takeTurn, [input.clientId, input.now, input.before])).length === 1;

const deleteKeySet = statement<never>("delete_client_key_set", "DELETE FROM client_key_set WHERE client_id = $1");

export const deleteClientKeySet = async (sql: Sql, clientId: string): Promise<void> => {
  await sql.query(deleteKeySet, [clientId]);
};
