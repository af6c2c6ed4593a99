import pg from "pg";
import { type Sql, statement } from "./client.ts";

/** What takes several transactions, and leaves a database that nobody may work with where it is cut off. */
type Work = "restore" | "seeding";

/** A schema of its own, which stays while everything else is taken away. */
const markOf = (work: Work): string => `paygrant_unfinished_${work}`;

const run = async (databaseUrl: string, text: string): Promise<void> => {
  const client = new pg.Client({ connectionString: databaseUrl, connectionTimeoutMillis: 5_000 });
  await client.connect();
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
};

/** Before the first of its transactions. */
export const markUnfinished = (databaseUrl: string, work: Work): Promise<void> =>
  run(databaseUrl, `CREATE SCHEMA IF NOT EXISTS ${markOf(work)}`);

/** Behind the last. */
export const markFinished = (databaseUrl: string, work: Work): Promise<void> =>
  run(databaseUrl, `DROP SCHEMA IF EXISTS ${markOf(work)}`);

const hasMark = statement<{ isThere: boolean }>("has_mark", 'SELECT to_regnamespace($1) IS NOT NULL AS "isThere"');

/** Whether it was begun and is under way, or was cut off. */
export const isUnfinished = async (sql: Sql, work: Work): Promise<boolean> =>
  (await sql.query(hasMark, [markOf(work)]))[0]?.isThere ?? false;
