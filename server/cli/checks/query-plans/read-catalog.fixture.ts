import pg from "pg";
import type { Catalog } from "./plan-rules.fixture.ts";
import { growingTables, smallTables } from "./tables.fixture.ts";

/** With fewer rows, a sequential scan is the cheapest plan. */
const fewRows = 100;

/** What the rules need to know about the tables and indexes of a database. */
export const readCatalog = async (databaseUrl: string): Promise<Catalog> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: indexes } = await client.query<{
      name: string;
      relation: string;
      table: string;
      columns: string[];
      isPartial: boolean;
    }>(
      `SELECT c.relname AS name, r.relname AS relation, t.relname AS table, i.indpred IS NOT NULL AS "isPartial",
              ARRAY(SELECT pg_get_indexdef(i.indexrelid, n, true) FROM generate_series(1, i.indnkeyatts) AS n) AS columns
         FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class r ON r.oid = i.indrelid
         JOIN pg_class t ON t.oid = coalesce(pg_partition_root(i.indrelid), i.indrelid)
        WHERE c.relnamespace = 'public'::regnamespace`,
    );
    const { rows: relations } = await client.query<{ name: string; parent: string; few: boolean }>(
      `SELECT c.relname AS name, t.relname AS parent, c.reltuples < $1 AS few
         FROM pg_class c JOIN pg_class t ON t.oid = coalesce(pg_partition_root(c.oid), c.oid)
        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'`,
      [fewRows],
    );
    return {
      indexes: new Map(indexes.map(({ name, ...index }) => [name, index])),
      parents: new Map(relations.map(({ name, parent }) => [name, parent])),
      nearlyEmpty: new Set(relations.filter(({ name, parent, few }) => few && name !== parent).map(({ name }) => name)),
      growing: new Set(Object.keys(growingTables)),
      small: new Set(Object.keys(smallTables)),
    };
  } finally {
    await client.end();
  }
};
