import pg from "pg";
import { connectAlone } from "../connect.ts";
import { listMigrationNames } from "./migration-files.ts";

/** A consistent copy of a database: its structure, then its rows, table by table. */
export type DumpRecord =
  | { kind: "schema"; migrations: string[]; partitions: Partition[] }
  /** each row in PostgreSQL's text format, `(…,…)` */
  | { kind: "rows"; table: string; columns: string[]; rows: string[] }
  | { kind: "sequences"; sequences: { name: string; last: string }[] };

type Partition = { name: string; parent: string; bound: string };

/** Settings under which the same PostgreSQL version, or a later one, reads back the text of every type unchanged. */
const textSettings =
  "SET LOCAL datestyle = 'ISO'; SET LOCAL timezone = 'UTC'; SET LOCAL intervalstyle = 'postgres'; SET LOCAL extra_float_digits = 1";
/** A large table takes long to read, and the file may be slow, so the limits of the role don't apply here. */
const settings = `${textSettings}; SET LOCAL statement_timeout = 0; SET LOCAL idle_in_transaction_session_timeout = 0`;
const rowsAtOnce = 500;
const name = (text: string) => pg.escapeIdentifier(text);
const listOf = (columns: readonly string[]) => columns.map(name).join(", ");

const connect = (databaseUrl: string): Promise<pg.Client> => connectAlone(databaseUrl, { statement: null });

const inTransaction = async <T>(
  databaseUrl: string,
  mode: string,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> => {
  const client = await connect(databaseUrl);
  try {
    await client.query(`BEGIN ${mode}; ${settings}`);
    const result = await work(client);
    await client.query("COMMIT");
    return result;
  } finally {
    await client.end();
  }
};

const rowsOf = async <Row extends pg.QueryResultRow>(client: pg.Client, text: string): Promise<Row[]> =>
  (await client.query<Row>(text)).rows;

const tables = `SELECT c.relname::text AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
   FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relname <> '_prisma_migrations'
  GROUP BY c.relname ORDER BY c.relname`;
const partitions = `SELECT c.relname::text AS name, p.relname::text AS parent, pg_get_expr(c.relpartbound, c.oid) AS bound
   FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid JOIN pg_class p ON p.oid = inhparent
  WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r' AND c.relispartition ORDER BY c.relname`;
const migrations = `SELECT migration_name AS name FROM "_prisma_migrations" WHERE finished_at IS NOT NULL AND rolled_back_at IS NULL ORDER BY 1`;
const sequences = `SELECT sequencename::text AS name, last_value::text AS last FROM pg_sequences WHERE schemaname = 'public' AND last_value IS NOT NULL`;

/**
 * Reads a consistent copy of a whole database while other connections write to it (REPEATABLE READ).
 * @returns the number of rows.
 */
export const dumpDatabase = (databaseUrl: string, write: (record: DumpRecord) => Promise<void>): Promise<number> =>
  inTransaction(databaseUrl, "ISOLATION LEVEL REPEATABLE READ READ ONLY", async (client) => {
    let total = 0;
    const applied = await rowsOf<{ name: string }>(client, migrations);
    await write({
      kind: "schema",
      migrations: applied.map((row) => row.name),
      partitions: await rowsOf<Partition>(client, partitions),
    });
    for (const { name: table, columns } of await rowsOf<{ name: string; columns: string[] }>(client, tables)) {
      await client.query(
        `DECLARE dump NO SCROLL CURSOR FOR SELECT ROW(${listOf(columns)})::text AS row FROM ${name(table)}`,
      );
      for (;;) {
        const rows = (await rowsOf<{ row: string }>(client, `FETCH ${rowsAtOnce} FROM dump`)).map(({ row }) => row);
        if (rows.length === 0) break;
        total += rows.length;
        await write({ kind: "rows", table, columns, rows });
      }
      await client.query("CLOSE dump");
    }
    // Sequences aren't part of a snapshot. They are read last, so that they are never behind a row.
    await write({ kind: "sequences", sequences: await rowsOf(client, sequences) });
    return total;
  });

/** @returns the number of tables, and the number of other connections. */
export const inspectTarget = async (databaseUrl: string): Promise<{ tables: number; others: number }> => {
  const client = await connect(databaseUrl);
  try {
    const [found] = await rowsOf<{ tables: number; others: number }>(
      client,
      `SELECT (SELECT count(*)::int FROM pg_class WHERE relnamespace = to_regnamespace('public') AND relkind IN ('r', 'p')) AS tables,
         (SELECT count(*)::int FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()
            AND backend_type = 'client backend') AS others`,
    );
    return found ?? { tables: 0, others: 0 };
  } finally {
    await client.end();
  }
};

/** Drops all our objects, including the job queue's schema, but not the mark of a restore. */
export const clearDatabase = (databaseUrl: string): Promise<void> =>
  inTransaction(databaseUrl, "", async (client) => {
    await client.query(
      "DROP SCHEMA IF EXISTS public CASCADE; DROP SCHEMA IF EXISTS pgboss CASCADE; CREATE SCHEMA public",
    );
  });

/** @returns the migrations that this version of the product lacks. If there are any, a later version made the dump. */
export const unknownMigrations = async (names: readonly string[]): Promise<string[]> => {
  const known = await listMigrationNames();
  return names.filter((each) => !known.includes(each));
};

const foreignKeys = `SELECT conname::text AS name, conrelid::regclass::text AS table, pg_get_constraintdef(oid) AS definition FROM pg_constraint
  WHERE contype = 'f' AND connamespace = 'public'::regnamespace AND conparentid = 0`;

/**
 * Fills a database to which only the dump's migrations were applied. Runs in one transaction, and checks every
 * foreign key at the end. If anything fails, nothing is loaded.
 * @returns the number of rows.
 */
export const loadDump = (databaseUrl: string, records: AsyncIterable<DumpRecord>): Promise<number> =>
  inTransaction(databaseUrl, "", async (client) => {
    let total = 0;
    const keys = await rowsOf<{ name: string; table: string; definition: string }>(client, foreignKeys);
    for (const key of keys) await client.query(`ALTER TABLE ${key.table} DROP CONSTRAINT ${name(key.name)}`);
    for (const table of await rowsOf<{ name: string }>(client, tables))
      await client.query(`DELETE FROM ${name(table.name)}`);
    let open: string | null = null;
    for await (const record of records) {
      if (record.kind === "schema") await makePartitions(client, record.partitions);
      else if (record.kind === "sequences") {
        for (const each of record.sequences) {
          await client.query("SELECT setval(quote_ident($1)::regclass, $2::bigint)", [each.name, each.last]);
        }
      } else {
        const { table, columns, rows } = record;
        const type = name(`load_${table}`);
        if (open !== table) {
          await client.query(
            `CREATE TEMP TABLE ${type} ON COMMIT DROP AS SELECT ${listOf(columns)} FROM ${name(table)} WITH NO DATA`,
          );
          // A trigger may have filled this table while earlier tables were loaded.
          await client.query(`DELETE FROM ${name(table)}`);
          open = table;
        }
        await client.query(
          `INSERT INTO ${name(table)} (${listOf(columns)}) SELECT * FROM unnest($1::pg_temp.${type}[])`,
          [rows],
        );
        total += rows.length;
      }
    }
    // Deferred checks run now: a table with pending checks can't be altered.
    await client.query("SET CONSTRAINTS ALL IMMEDIATE");
    for (const key of keys) {
      await client.query(`ALTER TABLE ${key.table} ADD CONSTRAINT ${name(key.name)} ${key.definition}`);
    }
    return total;
  });

/** The partitions that upkeep created. The migrations create only the partitions of the day on which they run. */
const makePartitions = async (client: pg.Client, wanted: readonly Partition[]): Promise<void> => {
  const existing = new Set((await rowsOf<Partition>(client, partitions)).map((each) => each.name));
  for (const { name: partition, parent, bound } of wanted) {
    if (existing.has(partition)) continue;
    await client.query(`CREATE TABLE ${name(partition)} PARTITION OF ${name(parent)} ${bound}`);
  }
};

/** Updates statistics, so that the first queries get the same plans as before. */
export const analyzeDatabase = async (databaseUrl: string): Promise<void> => {
  const client = await connect(databaseUrl);
  try {
    await client.query("ANALYZE");
  } finally {
    await client.end();
  }
};
