import type { JsonObject } from "../../../kernel/text/json.ts";
import { type Sql, statement } from "../../client.ts";

export type LogKeyRow = { publicKey: Buffer; privateSealed: string };

const keyColumns = `public_key AS "publicKey", private_sealed AS "privateSealed"`;

const insertKey = statement<{ id: number }>(
  "insert_log_key",
  `INSERT INTO directory_log_key (public_key, private_sealed, created_at)
   VALUES (decode($1, 'base64'), $2, $3::timestamptz) ON CONFLICT DO NOTHING RETURNING id`,
);

/** @returns false if the log already has a key. */
export const insertLogKey = async (
  sql: Sql,
  { publicKey, privateSealed, at }: LogKeyRow & { at: Date },
): Promise<boolean> => (await sql.query(insertKey, [publicKey.toString("base64"), privateSealed, at])).length === 1;

const findKey = statement<LogKeyRow>("find_log_key", `SELECT ${keyColumns} FROM directory_log_key`);

export const findLogKey = async (sql: Sql): Promise<LogKeyRow | null> => (await sql.query(findKey, []))[0] ?? null;

const lockKey = statement<LogKeyRow>(
  "lock_log_key",
  `SELECT ${keyColumns} FROM directory_log_key FOR UPDATE SKIP LOCKED`,
);

/**
 * Locks the published log. Only the transaction that holds this lock may extend the log; every other transaction gets
 * null. Also null if the log has no key yet.
 */
export const lockPublishedLog = async (sql: Sql): Promise<LogKeyRow | null> =>
  (await sql.query(lockKey, []))[0] ?? null;

export type CheckpointRow = { size: number; rootHash: Buffer; note: string; publishedAt: Date };

/** `cosignatures`: the signature lines of witnesses, each with its newline; empty: none yet. */
export type PublishedCheckpoint = CheckpointRow & { cosignatures: string };

const findCheckpoint = statement<PublishedCheckpoint>(
  "find_log_checkpoint",
  `SELECT c.size::float8 AS size, c.root_hash AS "rootHash", c.note, c.published_at AS "publishedAt",
     coalesce((SELECT string_agg(w.cosignature || E'\\n', '' ORDER BY w.key) FROM directory_log_witness w
       WHERE starts_with(c.note, w.body || E'\\n')), '') AS cosignatures
     FROM directory_log_checkpoint c`,
);

/** The latest published checkpoint; null before the first one. */
export const findLogCheckpoint = async (sql: Sql): Promise<PublishedCheckpoint | null> =>
  (await sql.query(findCheckpoint, []))[0] ?? null;

const saveCheckpoint = statement<{ id: number }>(
  "save_log_checkpoint",
  `INSERT INTO directory_log_checkpoint AS c (size, root_hash, note, published_at)
   VALUES ($1::bigint, decode($2, 'base64'), $3, $4::timestamptz)
   ON CONFLICT (id) DO UPDATE SET size = excluded.size, root_hash = excluded.root_hash, note = excluded.note,
     published_at = excluded.published_at WHERE c.size <= excluded.size
   RETURNING id`,
);

/** @throws Error if a larger tree was published. */
export const saveLogCheckpoint = async (sql: Sql, row: CheckpointRow): Promise<void> => {
  const values = [row.size, row.rootHash.toString("base64"), row.note, row.publishedAt];
  if ((await sql.query(saveCheckpoint, values)).length === 0) throw new Error("a larger tree was published");
};

const forgetPublication = statement<never>(
  "forget_log_publication",
  `WITH k AS (DELETE FROM directory_log_key), c AS (DELETE FROM directory_log_checkpoint),
     w AS (DELETE FROM directory_log_witness) DELETE FROM directory_log_tile`,
);

/**
 * Ends the published log and its key, after a restore: a checkpoint that was published after the backup may have other
 * entries, and the key must not sign two different trees. The next publication starts with a new key.
 */
export const forgetPublishedLog = async (sql: Sql): Promise<void> => {
  await sql.query(forgetPublication, []);
};

const logSize = statement<{ size: number }>("find_log_size", "SELECT size::float8 AS size FROM directory_log");

/** The number of committed entries. The next statement can read all entries whose index is less than this number. */
export const findLogSize = async (sql: Sql): Promise<number> => (await sql.query(logSize, []))[0]?.size ?? 0;

const entries = statement<{ index: number; entry: string }>(
  "find_log_entries",
  `SELECT e.log_index::float8 AS index, v.log_entry AS entry
     FROM directory_log_entry e JOIN participant_version v ON v.participant_id = e.participant_id AND v.version = e.version
    WHERE e.log_index >= $1::bigint AND e.log_index < $2::bigint ORDER BY e.log_index`,
);

/** @throws Error if an entry of the range is missing. */
export const findLogEntries = async (sql: Sql, { start, end }: { start: number; end: number }): Promise<Buffer[]> => {
  const rows = await sql.query(entries, [start, end]);
  if (rows.length !== end - start) throw new Error(`entries ${start} to ${end} of the directory's log are incomplete`);
  return rows.map(({ entry }) => Buffer.from(entry));
};

export type LogRecord = { index: number; entry: string; participantId: string; version: number; document: JsonObject };

const records = statement<LogRecord>(
  "find_log_records",
  `SELECT e.log_index::float8 AS index, v.log_entry AS entry, v.participant_id AS "participantId", v.version, v.document
     FROM directory_log_entry e JOIN participant_version v ON v.participant_id = e.participant_id AND v.version = e.version
    WHERE e.log_index >= $1::bigint AND e.log_index < $2::bigint ORDER BY e.log_index`,
);

/** Entries with the versions that they are about. */
export const findLogRecords = (sql: Sql, { start, end }: { start: number; end: number }): Promise<LogRecord[]> =>
  sql.query(records, [start, end]);

export type TileRow = { level: number; number: number; bytes: Buffer };

const findTile = statement<{ bytes: Buffer }>(
  "find_log_tile",
  "SELECT bytes FROM directory_log_tile WHERE level = $1::int AND number = $2::bigint",
);

export const findLogTile = async (
  sql: Sql,
  { level, number }: { level: number; number: number },
): Promise<Buffer | null> => (await sql.query(findTile, [level, number]))[0]?.bytes ?? null;

const lastTile = statement<{ number: number | null }>(
  "find_last_log_tile",
  "SELECT max(number)::float8 AS number FROM directory_log_tile WHERE level = $1::int",
);

/** The number of the last stored tile of a level; null if none is stored. */
export const findLastLogTile = async (sql: Sql, level: number): Promise<number | null> =>
  (await sql.query(lastTile, [level]))[0]?.number ?? null;

const insertTile = statement<never>(
  "insert_log_tile",
  "INSERT INTO directory_log_tile (level, number, bytes) VALUES ($1::int, $2::bigint, decode($3, 'base64'))",
);

export const insertLogTile = async (sql: Sql, { level, number, bytes }: TileRow): Promise<void> => {
  await sql.query(insertTile, [level, number, bytes.toString("base64")]);
};

const upsertTiles = statement<never>(
  "save_log_tiles",
  `INSERT INTO directory_log_tile AS t (level, number, bytes)
   SELECT level, number, decode(bytes, 'base64') FROM unnest($1::int[], $2::bigint[], $3::text[]) AS made (level, number, bytes)
   ON CONFLICT (level, number) DO UPDATE SET bytes = excluded.bytes
     WHERE substr(excluded.bytes, 1, length(t.bytes)) = t.bytes`,
);
const differingTiles = statement<{ level: number; number: number }>(
  "find_differing_log_tiles",
  `SELECT made.level, made.number::float8 AS number
     FROM unnest($1::int[], $2::bigint[], $3::text[]) AS made (level, number, bytes)
     LEFT JOIN directory_log_tile t ON t.level = made.level AND t.number = made.number
    WHERE substr(t.bytes, 1, length(decode(made.bytes, 'base64'))) IS DISTINCT FROM decode(made.bytes, 'base64') LIMIT 1`,
);

/**
 * Stores tiles. A stored tile may be extended, but never replaced. After an interrupted run, a stored tile may already
 * be longer than the new one: it then stays unchanged.
 * @throws Error if a stored tile differs, because it was changed.
 */
export const saveLogTiles = async (sql: Sql, tiles: readonly TileRow[]): Promise<void> => {
  const values = [
    tiles.map(({ level }) => level),
    tiles.map(({ number }) => number),
    tiles.map(({ bytes }) => bytes.toString("base64")),
  ];
  await sql.query(upsertTiles, values);
  const [differing] = await sql.query(differingTiles, values);
  if (differing)
    throw new Error(`tile ${differing.number} of level ${differing.level} of the directory's log was changed`);
};
