import { setTimeout as sleep } from "node:timers/promises";
import { type Db, type Sql, sqlState, statement } from "../client.ts";

/** Tables that are partitioned by time (docs/adr/019-time-partitioned-tables.md). */
export type PartitionedTable =
  | "assertion_jti"
  | "dpop_jti"
  | "pushed_request"
  | "authorization_code"
  | "token_denial"
  | "refresh_token"
  | "event"
  | "charge"
  | "refund"
  | "dispute"
  | "audit_entry"
  | "audit_block"
  | "webhook_delivery"
  | "webhook_attempt"
  | "mail"
  | "usage_event"
  | "usage_hour"
  | "verification"
  | "verification_minute"
  | "verification_log"
  | "meter_event"
  | "meter_minute"
  | "meter_reconciliation"
  | "charge_amount_day"
  | "charge_mandate_day"
  | "api_log";

export type PartitionStep = "1 day" | "1 month";

const setLockTimeout = statement<never>("set_partition_lock_timeout", "SET LOCAL lock_timeout = '200ms'");
const lockUpkeep = statement<never>(
  "lock_partition_upkeep",
  "SELECT pg_advisory_xact_lock(hashtextextended('paygrant.partitions', 0))",
);
const list = statement<{ name: string }>(
  "list_partitions",
  `SELECT child.relname::text AS name FROM pg_inherits JOIN pg_class child ON child.oid = inhrelid
    WHERE inhparent = ANY ($1::text[]::regclass[])`,
);
const ensure = statement<never>("ensure_partitions", "SELECT ensure_partitions($1, $2::timestamptz, $3::interval, 1)");
const drop = statement<{ dropped: number }>(
  "drop_partitions",
  "SELECT drop_partitions($1, $2::interval, $3::timestamptz) AS dropped",
);

/** SQLSTATE check_violation: the default partition already contains rows of the range. */
const defaultPartitionHasRows = "23514";
/** SQLSTATE lock_not_available. */
const lockNotAvailable = "55P03";

type Transaction = Pick<Db, "sql" | "sqlTransaction">;

/**
 * Upkeep may wait for another process's upkeep, read a whole default partition, or drop the files of several months.
 */
const upkeepMilliseconds = 600_000;

const tries = 25;

/**
 * Runs upkeep of one table at a time, in one process at a time. While a statement waits for an exclusive lock, every
 * later statement queues behind it. So upkeep waits at most a fifth of a second, lets the other statements proceed, and
 * tries again.
 */
const upkeep = async <T>(db: Transaction, work: (sql: Sql) => Promise<T>): Promise<T> => {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await db.sqlTransaction(
        async (sql) => {
          await sql.query(lockUpkeep, []);
          await sql.query(setLockTimeout, []);
          return work(sql);
        },
        { timeoutMilliseconds: upkeepMilliseconds },
      );
    } catch (error) {
      if (sqlState(error) !== lockNotAvailable || attempt === tries) throw error;
      await sleep(200 + Math.random() * 200);
    }
  }
};

/** @returns the names of the existing partitions: `event_20261101`. */
export const listPartitions = async (db: Transaction, tables: readonly PartitionedTable[]): Promise<Set<string>> =>
  new Set((await db.sql.query(list, [tables])).map(({ name }) => name));

/** The name that ensure_partitions gives to the partition that starts at `from`. */
export const partitionName = (table: PartitionedTable, from: Date): string =>
  `${table}_${from.toISOString().slice(0, 10).replaceAll("-", "")}`;

/** @returns false if the default partition already contains rows of this range. Queries still find these rows. */
export const ensurePartition = async (
  db: Transaction,
  partition: { table: PartitionedTable; from: Date; step: PartitionStep },
): Promise<boolean> => {
  try {
    await upkeep(db, (sql) => sql.query(ensure, [partition.table, partition.from, partition.step]));
    return true;
  } catch (error) {
    if (sqlState(error) === defaultPartitionHasRows) return false;
    throw error;
  }
};

type Outdated = { table: PartitionedTable; before: Date; step: PartitionStep };

const dropOutdated = async (sql: Sql, { table, step, before }: Outdated): Promise<number> =>
  (await sql.query(drop, [table, step, before]))[0]?.dropped ?? 0;

/** Drops the partitions of a table that end at `before` or earlier. @returns the number of dropped partitions. */
export const dropPartitions = (db: Transaction, outdated: Outdated): Promise<number> =>
  upkeep(db, (sql) => dropOutdated(sql, outdated));

const undispatched = statement<{ at: Date | null }>(
  "oldest_undispatched_event",
  "SELECT min(created_at) AS at FROM event WHERE dispatched_at IS NULL",
);

/** Undispatched events are kept at any age, together with all later events. @returns the number of dropped months. */
export const dropEventMonths = (db: Transaction, before: Date): Promise<number> =>
  upkeep(db, async (sql) => {
    const oldest = (await sql.query(undispatched, []))[0]?.at ?? before;
    return dropOutdated(sql, { table: "event", step: "1 month", before: oldest < before ? oldest : before });
  });

const rebaseChains = statement<never>(
  "rebase_audit_chains",
  `UPDATE audit_chain c SET base_number = b.number, base_hash = b.hash, base_to_seq = b.to_seq, base_made_at = b.made_at
     FROM (SELECT DISTINCT ON (shard) shard, number, hash, to_seq, made_at FROM audit_block
            WHERE made_at < date_trunc('month', $1::timestamptz, 'UTC') ORDER BY shard, number DESC) b
    WHERE c.shard = b.shard AND c.base_number < b.number`,
);

/**
 * Drops the expired months of the audit log and the corresponding older blocks of its chain. Stores the new start of
 * each chain.
 * @param recordDeletion writes the entry that records the deletion, in the same transaction.
 * @returns the number of dropped months of entries.
 */
export const dropAuditMonths = (
  db: Transaction,
  before: { entries: Date; blocks: Date },
  recordDeletion: (sql: Sql, months: number) => Promise<void>,
): Promise<number> =>
  upkeep(db, async (sql) => {
    const months = await dropOutdated(sql, { table: "audit_entry", step: "1 month", before: before.entries });
    await sql.query(rebaseChains, [before.blocks]);
    await dropOutdated(sql, { table: "audit_block", step: "1 month", before: before.blocks });
    if (months > 0) await recordDeletion(sql, months);
    return months;
  });
