import type { JsonObject } from "../../kernel/text/json.ts";
import { type Sql, statement } from "../client.ts";

export type AuditRow = {
  seq: number;
  at: Date;
  actorKind: string;
  actorId: string;
  action: string;
  subjectId: string;
  requestId: string;
  data: JsonObject;
};

/** Sequence numbers never reach 2^53, so JavaScript numbers represent them exactly. */
export const auditRowColumns = `e.seq::float8 AS seq, e.at, e.actor_kind AS "actorKind", e.actor_id AS "actorId", e.action,
  e.subject_id AS "subjectId", e.request_id AS "requestId", e.data`;

const lastSequence = statement<{ last: number }>(
  "last_audit_sequence",
  "SELECT coalesce(pg_sequence_last_value('audit_entry_seq'), 0)::float8 AS last",
);

/** The highest assigned sequence number, whether or not its transaction has ended. */
export const findLastAuditSequence = async (sql: Sql): Promise<number> =>
  (await sql.query(lastSequence, []))[0]?.last ?? 0;

const writers = statement<{ writer: string }>(
  "audit_writers",
  `SELECT DISTINCT virtualtransaction AS writer FROM pg_locks
    WHERE locktype = 'relation' AND mode = 'RowExclusiveLock' AND granted
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
      AND relation IN (SELECT relid FROM pg_partition_tree('audit_entry'))`,
);

/**
 * The open transactions that have written entries: those that hold a RowExclusiveLock on a partition of the entries. A
 * transaction takes this lock before it gets its first sequence number, and releases it when it ends.
 */
export const findAuditWriters = async (sql: Sql): Promise<Set<string>> =>
  new Set((await sql.query(writers, [])).map(({ writer }) => writer));

export type AuditChainRow = {
  shard: number;
  number: number;
  hash: string;
  to: number;
  madeAt: Date | null;
  /** the last block that was deleted because it expired */
  baseNumber: number;
  baseHash: string;
  baseTo: number;
  baseMadeAt: Date | null;
};

const chainColumns = `shard, number::float8 AS number, hash, to_seq::float8 AS "to", made_at AS "madeAt",
  base_number::float8 AS "baseNumber", base_hash AS "baseHash", base_to_seq::float8 AS "baseTo", base_made_at AS "baseMadeAt"`;

const chains = statement<AuditChainRow>("audit_chains", `SELECT ${chainColumns} FROM audit_chain ORDER BY shard`);

export const findAuditChains = (sql: Sql): Promise<AuditChainRow[]> => sql.query(chains, []);

const lockChain = statement<AuditChainRow>(
  "lock_audit_chain",
  `SELECT ${chainColumns} FROM audit_chain WHERE shard = $1::int FOR UPDATE SKIP LOCKED`,
);

/** At most one transaction locks a shard's chain. Every other transaction gets null and must not change the chain. */
export const lockAuditChain = async (sql: Sql, shard: number): Promise<AuditChainRow | null> =>
  (await sql.query(lockChain, [shard]))[0] ?? null;

const inRange = statement<AuditRow>(
  "audit_entries_in_range",
  `SELECT ${auditRowColumns} FROM audit_entry e WHERE e.seq > $1::bigint AND e.seq <= $2::bigint ORDER BY e.seq, e.at`,
);

/** All entries in (from, to], by sequence. */
export const findAuditEntries = (sql: Sql, range: { from: number; to: number }): Promise<AuditRow[]> =>
  sql.query(inRange, [range.from, range.to]);

const nextEntry = statement<{ seq: number | null }>(
  "next_audit_entry",
  "SELECT min(seq)::float8 AS seq FROM audit_entry WHERE seq > $1::bigint",
);

export const findNextAuditSequence = async (sql: Sql, after: number): Promise<number | null> =>
  (await sql.query(nextEntry, [after]))[0]?.seq ?? null;

export type AuditBlockRow = {
  shard: number;
  number: number;
  madeAt: Date;
  month: string;
  from: number;
  to: number;
  entries: number;
  content: string;
  previous: string;
  hash: string;
  marks: Buffer;
};

const insertBlocks = statement<never>(
  "insert_audit_blocks",
  `INSERT INTO audit_block (shard, number, made_at, month, from_seq, to_seq, entries, content, previous, hash, marks)
   SELECT $1::int, n, a, m, f, t, e, c, p, h, decode(x, 'base64')
     FROM unnest($2::bigint[], $3::timestamptz[], $4::text[], $5::bigint[], $6::bigint[], $7::int[], $8::text[], $9::text[], $10::text[], $11::text[])
       AS b (n, a, m, f, t, e, c, p, h, x)`,
);

const moveChain = statement<never>(
  "move_audit_chain",
  "UPDATE audit_chain SET number = $2::bigint, hash = $3, to_seq = $4::bigint, made_at = $5::timestamptz WHERE shard = $1::int",
);

/** Extends a chain that the caller's transaction has locked. @param blocks of one shard, in order. */
export const appendAuditBlocks = async (sql: Sql, blocks: readonly AuditBlockRow[]): Promise<void> => {
  const last = blocks.at(-1);
  if (!last) return;
  await sql.query(insertBlocks, [
    last.shard,
    blocks.map(({ number }) => number),
    blocks.map(({ madeAt }) => madeAt.toISOString()),
    blocks.map(({ month }) => month),
    blocks.map(({ from }) => from),
    blocks.map(({ to }) => to),
    blocks.map(({ entries }) => entries),
    blocks.map(({ content }) => content),
    blocks.map(({ previous }) => previous),
    blocks.map(({ hash }) => hash),
    blocks.map(({ marks }) => marks.toString("base64")),
  ]);
  await sql.query(moveChain, [last.shard, last.number, last.hash, last.to, last.madeAt]);
};

const blocksAfter = statement<AuditBlockRow>(
  "audit_blocks_after",
  `SELECT shard, number::float8 AS number, made_at AS "madeAt", month, from_seq::float8 AS "from", to_seq::float8 AS "to", entries,
          content, previous, hash, marks
     FROM audit_block WHERE shard = $1::int AND number > $2::bigint ORDER BY number, made_at LIMIT $3::int`,
);

/** A shard's blocks in order, in pages. */
export const findAuditBlocks = (
  sql: Sql,
  input: { shard: number; after: number; limit: number },
): Promise<AuditBlockRow[]> => sql.query(blocksAfter, [input.shard, input.after, input.limit]);

const countInRange = statement<{ entries: number; since: Date | null }>(
  "count_audit_entries_in_range",
  "SELECT count(*)::int AS entries, min(at) AS since FROM audit_entry WHERE seq > $1::bigint AND seq <= $2::bigint",
);

export const countAuditEntries = async (
  sql: Sql,
  range: { from: number; to: number },
): Promise<{ entries: number; since: Date | null }> =>
  (await sql.query(countInRange, [range.from, range.to]))[0] ?? { entries: 0, since: null };

const atOrBefore = statement<{ seq: number }>(
  "audit_entries_at_or_before",
  "SELECT seq::float8 AS seq FROM audit_entry WHERE seq <= $1::bigint ORDER BY seq LIMIT $2::int",
);

export const findAuditSequencesUpTo = async (sql: Sql, upTo: number, limit: number): Promise<number[]> =>
  (await sql.query(atOrBefore, [upTo, limit])).map(({ seq }) => seq);
