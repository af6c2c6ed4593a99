import { type Sql, statement } from "../client.ts";
import { connectAlone } from "../connect.ts";

/** A separate schema, which remains while everything else is dropped. */
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

/**
 * Call it before the first transaction of a restore. A restore uses several transactions, and an interrupted restore
 * leaves an unusable database.
 */
export const markRestore = (databaseUrl: string): Promise<void> =>
  run(databaseUrl, `CREATE SCHEMA IF NOT EXISTS ${mark}`);

/** Call it after the last transaction of a restore. */
export const unmarkRestore = (databaseUrl: string): Promise<void> => run(databaseUrl, `DROP SCHEMA IF EXISTS ${mark}`);

const hasMark = statement<{ isThere: boolean }>(
  "has_restore_mark",
  'SELECT to_regnamespace($1) IS NOT NULL AS "isThere"',
);

/** Whether a restore is in progress or was interrupted. */
export const isRestoring = async (sql: Sql): Promise<boolean> =>
  (await sql.query(hasMark, [mark]))[0]?.isThere ?? false;
