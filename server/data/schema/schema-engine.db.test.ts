import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { type PartitionedTable, partitionName } from "./partitions.ts";
import { applyMigrations, createTablesScript, diffToSchema } from "./schema-engine.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

test("a migrated database matches prisma/schema", async () => {
  expect(await diffToSchema(deps.config.databaseUrl)).toMatch(/^-- This is an empty migration\.\s*$/);
});

test("the columns of partitioned tables also match their models by name, type and nullability", async () => {
  const { prisma } = deps.db;
  const script = await createTablesScript(deps.config.databaseUrl);
  await deps.db.transaction(async (tx) => {
    await tx.$executeRawUnsafe("CREATE SCHEMA model");
    await tx.$executeRawUnsafe("SET LOCAL search_path = model");
    for (const one of script.split(/;$/m)) if (/CREATE (TYPE|TABLE)/.test(one)) await tx.$executeRawUnsafe(one);
  });
  // Prisma doesn't say whether the column of a list may be null.
  const columnsOf = (schema: string) => prisma.$queryRaw<{ column: string }[]>`
    SELECT table_name || '.' || column_name AS column, CASE WHEN data_type <> 'ARRAY' THEN is_nullable END AS nullable, udt_name AS type,
           character_maximum_length AS length, numeric_precision AS precision, datetime_precision AS fraction
      FROM information_schema.columns
     WHERE table_schema = ${schema}
       AND table_name IN (SELECT tablename FROM pg_tables WHERE schemaname = 'model')
     ORDER BY 1`;
  const [models, migrated] = [await columnsOf("model"), await columnsOf("public")];
  expect(models.filter(({ column }) => column.startsWith("charge."))).not.toEqual([]);
  expect(migrated).toEqual(models);
});

test("applied migrations aren't applied again", async () => {
  expect(await applyMigrations(deps.config.databaseUrl)).toEqual([]);
});

test("partitioned tables have no foreign keys: dropping a partition would lock the referenced table (ADR 019)", async () => {
  const keys = await deps.db.prisma.$queryRaw`
    SELECT conname FROM pg_constraint JOIN pg_partitioned_table ON conrelid = partrelid WHERE contype = 'f'`;
  expect(keys).toEqual([]);
});

test("each table that is partitioned by time has a current partition, so the default partition stays empty", async () => {
  const tables = await deps.db.prisma.$queryRaw<{ name: string; partitions: string[] }[]>`
    SELECT parent.relname::text AS name, array_agg(child.relname::text) AS partitions
      FROM pg_partitioned_table p JOIN pg_class parent ON parent.oid = p.partrelid
      JOIN pg_inherits ON inhparent = p.partrelid JOIN pg_class child ON child.oid = inhrelid
     WHERE p.partstrat = 'r' GROUP BY 1`;
  const today = new Date();
  const thisMonth = new Date(Date.UTC(today.getUTCFullYear(), today.getUTCMonth()));
  expect(tables).toHaveLength(26);
  for (const { name, partitions } of tables) {
    const table = name as PartitionedTable;
    const current = [partitionName(table, today), partitionName(table, thisMonth)];
    expect([name, partitions.some((each) => current.includes(each))]).toEqual([name, true]);
  }
});
