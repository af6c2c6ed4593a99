import type pg from "pg";

/** Totals of a PostgreSQL server since its start. */
export type DatabaseTotals = { walBytes: number; walRecords: number; walPages: number; transactions: number };

/** @param client of a superuser. */
export const readDatabaseTotals = async (client: pg.Client): Promise<DatabaseTotals> => {
  // Backends report their counts at most once a second.
  await client.query("SELECT pg_stat_force_next_flush()");
  const { rows } = await client.query<Record<keyof DatabaseTotals, string>>(
    `SELECT pg_current_wal_insert_lsn() - '0/0' AS "walBytes", w.wal_records AS "walRecords", w.wal_fpi AS "walPages",
       (SELECT sum(xact_commit + xact_rollback) FROM pg_stat_database) AS transactions
       FROM pg_stat_wal w`,
  );
  const row = rows[0];
  if (!row) throw new Error("pg_stat_wal is empty");
  return {
    walBytes: Number(row.walBytes),
    walRecords: Number(row.walRecords),
    walPages: Number(row.walPages),
    transactions: Number(row.transactions),
  };
};

/**
 * After a checkpoint, the first change of each page writes the whole page to the WAL. How often that happens depends on
 * the load and not on a charge, so no checkpoint starts during a measurement. An automatic vacuum would start at a random
 * time, and its cost would be attributed to what is measured then. So autovacuum is off, and measurements vacuum before
 * they start.
 */
export const postponeUpkeep = async (client: pg.Client): Promise<void> => {
  await client.query("ALTER SYSTEM SET checkpoint_timeout = '1h'");
  await client.query("ALTER SYSTEM SET max_wal_size = '32GB'");
  await client.query("ALTER SYSTEM SET autovacuum = off");
  await client.query("SELECT pg_reload_conf()");
};
