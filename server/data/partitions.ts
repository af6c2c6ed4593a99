import { type Sql, sqlState, statement } from "./client.ts";

/** Tables that are partitioned by time, with what one partition holds. */
export type PartitionedTable = "assertion_jti" | "dpop_jti" | "audit_entry" | "audit_block";

const setLockTimeout = statement<never>("set_partition_lock_timeout", "SET LOCAL lock_timeout = '2s'");
const lockUpkeep = statement<never>(
  "lock_partition_upkeep",
  "SELECT pg_advisory_xact_lock(hashtextextended('paygrant.partitions', 0))",
);
const ensure = statement<never>("ensure_partitions", "SELECT ensure_partitions($1, $2::timestamptz, $3::interval, 1)");
const drop = statement<{ dropped: number }>(
  "drop_partitions",
  "SELECT drop_partitions($1, $2::interval, $3::timestamptz) AS dropped",
);

/** SQLSTATE check_violation: the default partition holds rows of the range already. */
const defaultHoldsRows = "23514";

type Transaction = { sqlTransaction<T>(work: (sql: Sql) => Promise<T>): Promise<T> };

/**
 * Upkeep of one table at a time, in one process at a time. It waits two seconds at the most for a lock, since whoever
 * waits for an exclusive lock makes every later statement wait behind it.
 */
const upkeep = <T>(db: Transaction, work: (sql: Sql) => Promise<T>): Promise<T> =>
  db.sqlTransaction(async (sql) => {
    await sql.query(setLockTimeout, []);
    await sql.query(lockUpkeep, []);
    return work(sql);
  });

/** @returns false where the default partition holds rows of that time already: they go on being found there. */
export const ensurePartition = async (
  db: Transaction,
  partition: { table: PartitionedTable; from: Date; step: "1 day" | "1 month" },
): Promise<boolean> => {
  try {
    await upkeep(db, (sql) => sql.query(ensure, [partition.table, partition.from, partition.step]));
    return true;
  } catch (error) {
    if (sqlState(error) === defaultHoldsRows) return false;
    throw error;
  }
};

type Outdated = { table: PartitionedTable; before: Date; step: "1 day" | "1 month" };

const dropOutdated = async (sql: Sql, { table, step, before }: Outdated): Promise<number> =>
  (await sql.query(drop, [table, step, before]))[0]?.dropped ?? 0;

/** Drops the partitions of a table that end at `before` or earlier. @returns how many. */
export const dropPartitions = (db: Transaction, outdated: Outdated): Promise<number> =>
  upkeep(db, (sql) => dropOutdated(sql, outdated));

const rebaseChains = statement<never>(
  "rebase_audit_chains",
  `UPDATE audit_chain c SET base_number = b.number, base_hash = b.hash, base_to_seq = b.to_seq, base_made_at = b.made_at
     FROM (SELECT DISTINCT ON (shard) shard, number, hash, to_seq, made_at FROM audit_block
            WHERE made_at < date_trunc('month', $1::timestamptz, 'UTC') ORDER BY shard, number DESC) b
    WHERE c.shard = b.shard AND c.base_number < b.number`,
);

/**
 * Drops the months of the audit log that are over, and the older ones of its chain; where a chain begins from then on
 * is kept with it. @param tell writes the entry that tells of it, in the same transaction. @returns months of entries.
 */
export const dropAuditMonths = (
  db: Transaction,
  before: { entries: Date; blocks: Date },
  tell: (sql: Sql, months: number) => Promise<void>,
): Promise<number> =>
  upkeep(db, async (sql) => {
    const months = await dropOutdated(sql, { table: "audit_entry", step: "1 month", before: before.entries });
    await sql.query(rebaseChains, [before.blocks]);
    await dropOutdated(sql, { table: "audit_block", step: "1 month", before: before.blocks });
    if (months > 0) await tell(sql, months);
    return months;
  });
