import pg from "pg";
import { growingTables } from "./tables.fixture.ts";

type Column = {
  name: string;
  type: string;
  kind: "enum" | "array" | "base";
  isNullable: boolean;
  isUnique: boolean;
  firstLabel: string | null;
  preset: string | null;
};

/**
 * `copy_of` makes a copy of an id or of another unique text, with the same prefix. Multiplying by an odd number gives
 * each copy another number, in a random order, as in real ids.
 */
const prepare = `
  SET maintenance_work_mem = '256MB';
  SET session_replication_role = replica;
  SET timezone = 'UTC';
  CREATE FUNCTION copy_of(original text, n bigint) RETURNS text LANGUAGE sql IMMUTABLE AS $$
    SELECT overlay(original PLACING lpad(to_hex((n * 2654435761) % 268435456), 7, '0')
                   FROM strpos(original, '_') + 1)
  $$;
  DO $$
  DECLARE parent record;
  BEGIN
    FOR parent IN
      SELECT p.relname, min(right(c.relname, 8)::date) AS first, max(right(c.relname, 8)::date) AS last,
             count(*) AS number
        FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid JOIN pg_class p ON p.oid = inhparent
       WHERE p.relkind = 'p' AND c.relname ~ '_[0-9]{8}$' GROUP BY 1
    LOOP
      IF parent.last - parent.first < parent.number THEN
        PERFORM ensure_partitions(parent.relname, date_trunc('day', now() - interval '4 days'), '1 day', 4);
      ELSE
        PERFORM ensure_partitions(parent.relname, date_trunc('month', now() - interval '3 months'), '1 month', 3);
      END IF;
    END LOOP;
  END $$;`;

const columnsOf = async (client: pg.Client, table: string): Promise<Column[]> =>
  (
    await client.query<Column>(
      `SELECT a.attname AS name, format_type(a.atttypid, a.atttypmod) AS type, NOT a.attnotnull AS "isNullable",
              CASE WHEN t.typtype = 'e' THEN 'enum' WHEN t.typcategory = 'A' THEN 'array' ELSE 'base' END AS kind,
              EXISTS (SELECT FROM pg_index i WHERE i.indrelid = a.attrelid AND i.indisunique
                        AND a.attnum = ANY (i.indkey)) AS "isUnique",
              (SELECT min(enumlabel) FROM pg_enum WHERE enumtypid = t.oid AND enumsortorder = 1) AS "firstLabel",
              (SELECT pg_get_expr(adbin, adrelid) FROM pg_attrdef d
                WHERE d.adrelid = a.attrelid AND d.adnum = a.attnum) AS preset
         FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid
        WHERE a.attrelid = $1::regclass AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
        ORDER BY a.attnum`,
      [`"${table}"`],
    )
  ).rows;

/** Existing ids by column name, for tables without rows. */
export type KnownIds = Readonly<Record<string, string>>;

const isReference = ({ name, type }: Column): boolean => type === "text" && /_id$/.test(name) && name !== "event_id";
/** An object has few rows in another table, for example its events, even if its tenant has many. */
const isObject = ({ name }: Column): boolean => /^(charge|object|subject|delivery|request|spend)_id$/.test(name);

const isPerson = ({ name }: Column): boolean => /^(payer|account)_id$/.test(name);

/** A value of the type, for a table without rows. */
const sample = (column: Column, ids: KnownIds): string => {
  const { name, type, kind } = column;
  const known = ids[name];
  if (known !== undefined) return pg.escapeLiteral(known);
  if (column.preset !== null && !column.isUnique) return column.preset;
  if (column.isNullable && !column.isUnique) return "NULL";
  if (kind === "enum") return pg.escapeLiteral(column.firstLabel ?? "");
  if (kind === "array") return "'{}'";
  if (/^(timestamp|date)/.test(type)) return "now()";
  if (/^json/.test(type)) return "'{}'";
  if (/^(smallint|integer|bigint|numeric)/.test(type)) return "1";
  if (type === "boolean") return "false";
  if (type === "bytea") return "'\\x00'";
  if (/^character\(/.test(type)) return "'EUR'";
  return pg.escapeLiteral(`sample_${name}_${"x".repeat(20)}`);
};

/** Parts of unique keys that have few values. */
const words = new Set(["kind", "route", "source", "meter", "limit_key", "status", "source_type", "plan_id"]);

/** The expression for a column of a copied row. `k` is the copied tenant; NULL: the original tenant. */
const copied = (column: Column, days: number): string => {
  const value = `e."${column.name}"`;
  if (isReference(column) && isObject(column)) return `copy_of(${value}, n)`;
  // Even the original payer has only a thousandth of the rows.
  if (isPerson(column)) return `CASE WHEN n % 1000 = 0 THEN ${value} ELSE copy_of(${value}, coalesce(k, n)) END`;
  if (isReference(column)) return `CASE WHEN k IS NULL THEN ${value} ELSE copy_of(${value}, k) END`;
  if (column.kind === "array" || words.has(column.name)) return value;
  if (column.type === "text" && column.isUnique) return `copy_of(${value}, n)`;
  if (/^timestamp/.test(column.type)) return `${value} - part * interval '${days} days'`;
  if (column.type === "date") return `${value} - (part * ${days})::int`;
  if (column.isUnique && /^(integer|bigint)$/.test(column.type) && column.name === "id")
    return "-(n * 64 + e.original)";
  return value;
};

type Plan = { table: string; rows: number; tenants: number; ids: KnownIds };

/** The number of days over which copies are spread: 80 if the table has monthly partitions, otherwise a few. */
const daysOf = async (client: pg.Client, table: string): Promise<number> => {
  const { rows } = await client.query<{ months: boolean }>(
    `SELECT bool_or(c.relname ~ '01$') AND NOT bool_or(c.relname ~ '(0[2-9]|[123][0-9])$') AS months
       FROM pg_inherits JOIN pg_class c ON c.oid = inhrelid
      WHERE inhparent = $1::regclass AND c.relname ~ '_[0-9]{8}$'`,
    [`"${table}"`],
  );
  return rows[0]?.months ? 80 : 3.5;
};

/** Inserts copies of the existing rows of a table. A tenth belongs to the original tenant, the rest to its copies. */
const fillTable = async (client: pg.Client, { table, rows, tenants, ids }: Plan): Promise<void> => {
  const plan = growingTables[table];
  const columns = await columnsOf(client, table);
  const days = await daysOf(client, table);
  const { rows: found } = await client.query<{ count: number }>(
    `SELECT count(*)::int AS count FROM "${table}" WHERE ${plan?.settled ?? "true"}`,
  );
  const originals = Math.min(found[0]?.count ?? 0, 50);
  const expression = (column: Column) => plan?.values?.[column.name] ?? copied(column, days);
  const names = columns.map(({ name }) => `"${name}"`).join(", ");
  const samples = columns.map((column) => {
    const value = plan?.values?.[column.name] ?? sample(column, ids);
    return `(${value})::${column.type} AS "${column.name}"`;
  });
  const source =
    originals > 0
      ? `SELECT *, row_number() OVER () - 1 AS original FROM "${table}" WHERE ${plan?.settled ?? "true"} LIMIT 50`
      : `SELECT ${samples.join(", ")}, 0 AS original FROM (SELECT 0 AS n) AS none`;
  const each = Math.max(1, originals);
  const copies = plan?.isReferenced ? tenants : Math.ceil(rows / each);
  // Merchants and apps can be large. A person or a mandate isn't.
  const isOriginal =
    plan?.isReferenced || plan?.owner === "payer" || table === "charge_notice" ? "false" : "n % 10 = 0";
  await client.query(
    `INSERT INTO "${table}" (${names})
     SELECT ${columns.map(expression).join(", ")}
       FROM (${source}) AS e
       CROSS JOIN LATERAL (
         SELECT n, n::float8 / ${copies} AS part, CASE WHEN NOT ${isOriginal} THEN (n - 1) % ${tenants} + 1 END AS k
           FROM generate_series(1, ${copies}) AS n
       ) AS copy
     ON CONFLICT DO NOTHING`,
  );
};

/** Creates the indexes of a table after its rows, because that is several times faster. */
const withoutIndexes = async (client: pg.Client, table: string, work: () => Promise<void>): Promise<void> => {
  const { rows } = await client.query<{ name: string; definition: string }>(
    `SELECT c.relname AS name, replace(pg_get_indexdef(i.indexrelid), ' ON ONLY ', ' ON ') AS definition
       FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid
      WHERE i.indrelid = $1::regclass AND NOT i.indisunique
        AND NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = i.indexrelid)`,
    [`"${table}"`],
  );
  for (const { name } of rows) await client.query(`DROP INDEX "${name}"`);
  await work();
  for (const { definition } of rows) await client.query(definition);
};

/** Fills the growing tables with about `total` rows of many tenants, and collects statistics. */
export const fillTables = async (
  databaseUrl: string,
  { total, ids }: { total: number; ids: KnownIds },
): Promise<{ rows: number; size: string }> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(prepare);
    const tenants = Math.round(total / 500) + 200;
    for (const [table, { share = 0 }] of Object.entries(growingTables)) {
      const rows = Math.max(Math.round((total * share) / 1_000), Math.round(total / 2_000) + 500);
      await withoutIndexes(client, table, () => fillTable(client, { table, rows, tenants, ids }));
      await client.query(`VACUUM ANALYZE "${table}"`);
    }
    const { rows } = await client.query<{ rows: number; size: string }>(
      `SELECT sum(reltuples) FILTER (WHERE relkind = 'r')::int AS rows,
              pg_size_pretty(pg_database_size(current_database())) AS size
         FROM pg_class WHERE relnamespace = 'public'::regnamespace AND reltuples > 0`,
    );
    return rows[0] ?? { rows: 0, size: "" };
  } finally {
    await client.end();
  }
};
