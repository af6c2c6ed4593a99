import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { type PartitionedTable, partitionName } from "./partitions.ts";
import { applyMigrations, diffToSchema } from "./schema-engine.ts";

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
});
afterAll(() => deps.close());

test("a migrated database matches prisma/schema", async () => {
  expect(await diffToSchema(deps.config.databaseUrl)).toMatch(/^-- This is an empty migration\.\s*$/);
});

test("the models of partitioned tables read every column", async () => {
  const { prisma } = deps.db;
  const models = [prisma.pushedRequest, prisma.authorizationCode, prisma.refreshToken, prisma.tokenDenial];
  for (const model of [...models, prisma.event, prisma.charge, prisma.mail]) {
    expect(await (model as { findFirst(): Promise<unknown> }).findFirst()).toBeNull();
  }
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
  expect(tables).toHaveLength(20);
  for (const { name, partitions } of tables) {
    const table = name as PartitionedTable;
    const current = [partitionName(table, today), partitionName(table, thisMonth)];
    expect([name, partitions.some((each) => current.includes(each))]).toEqual([name, true]);
  }
});
