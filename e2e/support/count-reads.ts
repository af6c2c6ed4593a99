import { type Sql, statement } from "#server/data/client.ts";

const readsSoFar = statement<{ reads: number }>(
  "count_reads_so_far",
  "SELECT coalesce(sum(seq_tup_read + coalesce(idx_tup_fetch, 0)), 0)::int AS reads FROM pg_stat_xact_user_tables",
);

/**
 * @param sql must run all statements in one transaction, because pg_stat_xact_user_tables counts per transaction.
 * @returns the result of `work`, and how many rows PostgreSQL read for it in all tables.
 */
export const countReads = async <T>(sql: Sql, work: (sql: Sql) => Promise<T>): Promise<{ done: T; reads: number }> => {
  const count = async (): Promise<number> => (await sql.query(readsSoFar, []))[0]?.reads ?? Number.NaN;
  const before = await count();
  const done = await work(sql);
  return { done, reads: (await count()) - before };
};
