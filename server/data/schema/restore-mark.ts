import { type Sql, statement } from "../client.ts";
import { connectAlone } from "../connect.ts";

/** A schema of its own, which stays while everything else is taken away. */
const mark = "paygrant_unfinished_restore";

const statementMilliseconds = 30_000;

const run = async (databaseUrl: string, text: string): Promise<void> => {
  const client = await connectAlone(databaseUrl, { statement: statementMilliseconds });
  try {
    await client.query(text);
  } finally {
    await client.end();
  }
};

/** Before the first transaction of a restore, which takes several: cut off, it leaves what nobody may work with. */
export const markRestore = (databaseUrl: string): Promise<void> =>
  run(databaseUrl, `CREATE SCHEMA IF NOT EXISTS ${mark}`);

/** Behind the last. */
export const unmarkRestore = (databaseUrl: string): Promise<void> => run(databaseUrl, `DROP SCHEMA IF EXISTS ${mark}`);

const hasMark = statement<{ isThere: boolean }>(
  "has_restore_mark",
  'SELECT to_regnamespace($1) IS NOT NULL AS "isThere"',
);

/** Whether one is under way, or was cut off. */
export const isRestoring = async (sql: Sql): Promise<boolean> =>
  (await sql.query(hasMark, [mark]))[0]?.isThere ?? false;
