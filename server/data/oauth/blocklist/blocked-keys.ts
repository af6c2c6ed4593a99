import { type Sql, statement } from "../../client.ts";

export type BlockedKey = { thumbprint: string; reason: string; blockedBy: string; blockedAt: Date };

const lockAll = statement<never>(
  "lock_blocklist",
  "SELECT pg_advisory_xact_lock(hashtextextended('paygrant.client_key_blocklist', 0))::text",
);
const lockShared = statement<never>(
  "lock_blocklist_shared",
  "SELECT pg_advisory_xact_lock_shared(hashtextextended('paygrant.client_key_blocklist', 0))::text",
);

/**
 * Until the transaction ends, no client's keys are stored. So a transaction that blocks a key sees every client that
 * has it, and a client that stores keys later sees the block. Lock the clients first (docs/adr/007-lock-order.md).
 */
export const lockBlocklist = async (sql: Sql): Promise<void> => {
  await sql.query(lockAll, []);
};

/** Until the transaction ends, no key is blocked. Any number of transactions can hold this lock at the same time. */
export const holdBlocklist = async (sql: Sql): Promise<void> => {
  await sql.query(lockShared, []);
};

const findBlocked = statement<{ hash: string }>(
  "find_blocked_key_hashes",
  "SELECT thumbprint_hash AS hash FROM blocked_client_key WHERE thumbprint_hash = ANY ($1::text[])",
);

/** @returns the given hashes that are on the blocklist. */
export const findBlockedHashes = async (sql: Sql, hashes: readonly string[]): Promise<string[]> =>
  (await sql.query(findBlocked, [hashes])).map(({ hash }) => hash);

const insert = statement<{ thumbprint: string }>(
  "insert_blocked_key",
  `INSERT INTO blocked_client_key (thumbprint, thumbprint_hash, reason, blocked_by, blocked_at)
   VALUES ($1, $2, $3, $4, $5::timestamptz) ON CONFLICT DO NOTHING RETURNING thumbprint`,
);

/** @returns false if the key is already on the list. */
export const insertBlockedKey = async (
  sql: Sql,
  { thumbprint, thumbprintHash, reason, blockedBy, blockedAt }: BlockedKey & { thumbprintHash: string },
): Promise<boolean> =>
  (await sql.query(insert, [thumbprint, thumbprintHash, reason, blockedBy, blockedAt])).length === 1;

const remove = statement<{ reason: string }>(
  "delete_blocked_key",
  "DELETE FROM blocked_client_key WHERE thumbprint = $1 RETURNING reason",
);

/** At most one caller gets true. */
export const deleteBlockedKey = async (sql: Sql, thumbprint: string): Promise<boolean> =>
  (await sql.query(remove, [thumbprint])).length === 1;

export type ListedKey = BlockedKey & {
  /** address of the operator; null if the account was deleted */
  blockedByEmail: string | null;
  /** clients that have the key, deleted ones not counted */
  clients: number;
};

const columns = `k.thumbprint, k.reason, k.blocked_by AS "blockedBy", k.blocked_at AS "blockedAt",
  (SELECT a.email FROM account a WHERE a.id = k.blocked_by AND a.deleted_at IS NULL) AS "blockedByEmail",
  (SELECT count(*)::int FROM client c WHERE c.key_thumbprint_hashes @> ARRAY[k.thumbprint_hash] AND c.deleted_at IS NULL)
    AS clients`;

const list = statement<ListedKey>(
  "list_blocked_keys",
  `SELECT ${columns} FROM blocked_client_key k
    WHERE ($1::text IS NULL OR starts_with(k.thumbprint, $1) OR strpos(lower(k.reason), lower($1)) > 0)
      AND ($2::text IS NULL OR (k.blocked_at, k.thumbprint) <
           (SELECT l.blocked_at, l.thumbprint FROM blocked_client_key l WHERE l.thumbprint = $2))
    ORDER BY k.blocked_at DESC, k.thumbprint DESC LIMIT $3::int`,
);

/**
 * Newest first; one more than `limit` if there are more.
 * @param input.search start of a thumbprint, or a part of a reason
 */
export const listBlockedKeys = (
  sql: Sql,
  { search, startingAfter, limit }: { search: string | null; startingAfter: string | null; limit: number },
): Promise<ListedKey[]> => sql.query(list, [search, startingAfter, limit + 1]);

const findOne = statement<BlockedKey>(
  "find_blocked_key",
  `SELECT thumbprint, reason, blocked_by AS "blockedBy", blocked_at AS "blockedAt"
     FROM blocked_client_key WHERE thumbprint = $1`,
);

export const findBlockedKey = async (sql: Sql, thumbprint: string): Promise<BlockedKey | null> =>
  (await sql.query(findOne, [thumbprint]))[0] ?? null;
