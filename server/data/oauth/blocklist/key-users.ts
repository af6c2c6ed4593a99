import { type Sql, statement } from "../../client.ts";

/** A client that has registered a key, or loaded it from its jwks_uri. */
export type KeyUser = {
  id: string;
  name: string;
  kind: "agent" | "merchant";
  merchantId: string | null;
  merchantName: string | null;
  /** of all its keys */
  keys: number;
};

const find = statement<KeyUser & { total: number }>(
  "find_key_users",
  `SELECT c.id, c.name, c.kind::text AS kind, c.merchant_id AS "merchantId", m.display_name AS "merchantName",
          cardinality(c.key_thumbprint_hashes) AS keys, count(*) OVER ()::int AS total
     FROM client c LEFT JOIN merchant m ON m.id = c.merchant_id
    WHERE c.key_thumbprint_hashes @> ARRAY[$1] AND c.deleted_at IS NULL ORDER BY c.name, c.id LIMIT $2::int`,
);

/** @returns the first `limit` clients by name, and the number of all. */
export const findKeyUsers = async (
  sql: Sql,
  thumbprintHash: string,
  limit: number,
): Promise<{ users: KeyUser[]; total: number }> => {
  const rows = await sql.query(find, [thumbprintHash, limit]);
  return { users: rows.map(({ total: _, ...user }) => user), total: rows[0]?.total ?? 0 };
};

const lock = statement<{ id: string }>(
  "lock_key_users",
  `SELECT id FROM client WHERE key_thumbprint_hashes @> ARRAY[$1] AND deleted_at IS NULL ORDER BY id FOR NO KEY UPDATE`,
);

/** Locks the clients that have a key, in the order of their ids. Checks of foreign keys don't wait for this lock. */
export const lockKeyUsers = async (sql: Sql, thumbprintHash: string): Promise<void> => {
  await sql.query(lock, [thumbprintHash]);
};

const end = statement<{ id: string }>(
  "end_tokens_of_key_users",
  `UPDATE client SET version = version + 1, epoch = epoch + 1
    WHERE key_thumbprint_hashes @> ARRAY[$1] AND deleted_at IS NULL RETURNING id`,
);

/**
 * Ends the access tokens of all clients that have a key. Cached copies of these clients become stale in every process,
 * because each statement that consumes an assertion compares the version. @returns their ids.
 */
export const endTokensOfKeyUsers = async (sql: Sql, thumbprintHash: string): Promise<string[]> =>
  (await sql.query(end, [thumbprintHash])).map(({ id }) => id);
