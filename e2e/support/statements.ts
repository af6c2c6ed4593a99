import { AsyncLocalStorage } from "node:async_hooks";
import pg from "pg";
import type { Db, Sql, Statement } from "#server/data/client.ts";

/** The work whose statements are recorded. Timers that started earlier, such as the key ring's, aren't part of it. */
const recorded = new AsyncLocalStorage<readonly unknown[]>();

/** Names of the statements that `work` sends outside transactions. */
export const statementsOf = async (db: Db, work: () => Promise<unknown>): Promise<string[]> => {
  const names: string[] = [];
  const sql = db.sql as { query: Sql["query"] };
  const { query } = sql;
  sql.query = (statement: Statement<never>, values) => {
    if (recorded.getStore() === names) names.push(statement.name);
    return query.call(sql, statement, values) as Promise<never[]>;
  };
  try {
    await recorded.run(names, work);
  } finally {
    sql.query = query;
  }
  return names;
};

type Sent = { text: string; values?: readonly unknown[] };

/** All statements that this process sends during `work`, including those of Prisma, BEGIN and COMMIT. */
const queriesDuring = async (work: () => Promise<unknown>): Promise<Sent[]> => {
  const queries: Sent[] = [];
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: pg.Client, ...sent: unknown[]) {
    const [first] = sent as [string | Sent];
    if (recorded.getStore() === queries) queries.push(typeof first === "string" ? { text: first } : first);
    return Reflect.apply(query, this, sent);
  } as typeof query;
  try {
    await recorded.run(queries, work);
  } finally {
    pg.Client.prototype.query = query;
  }
  return queries;
};

/** The texts of all statements that this process sends during `work`. */
export const sentDuring = async (work: () => Promise<unknown>): Promise<string[]> =>
  (await queriesDuring(work)).map(({ text }) => text);

/**
 * The plan by which PostgreSQL runs the first statement that `work` sends. It is the generic plan, which PostgreSQL
 * makes without the values of the parameters. It includes the numbers of rows and pages that the statement reads.
 */
export const planOf = async (db: Db, work: () => Promise<unknown>): Promise<string> => {
  const [sent] = await queriesDuring(work);
  const literal = (value: unknown): string => {
    if (value === null || value === undefined) return "NULL";
    if (Array.isArray(value)) return `ARRAY[${value.map(literal).join(",")}]`;
    return pg.escapeLiteral(value instanceof Date ? value.toISOString() : String(value));
  };
  const run = `EXECUTE explained (${(sent?.values ?? []).map(literal).join(",")})`;
  return db.sqlTransaction(async (sql) => {
    const query = (text: string) => sql.query<{ "QUERY PLAN": string }>({ name: "", text }, []);
    await query(`PREPARE explained AS ${sent?.text}`);
    await query(run);
    const rows = await query(`EXPLAIN (ANALYZE, BUFFERS) ${run}`);
    await query("DEALLOCATE explained");
    return rows.map((row) => row["QUERY PLAN"]).join("\n");
  });
};

/** How many transactions of the test's database wait for a lock. */
export const countLockWaits = async ({ db }: { db: Db }): Promise<number> =>
  (
    await db.prisma.$queryRaw<unknown[]>`
      SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`
  ).length;
