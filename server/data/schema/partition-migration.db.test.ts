import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, inject, it } from "vitest";
import { onServer } from "#e2e/support/test-database.ts";
import { listMigrationNames } from "./migration-files.ts";

const name = `test_${randomBytes(6).toString("hex")}`;
const migration = "20261121060100_partitions";
let client: pg.Client;

const run = async (migrationName: string) => {
  const file = path.resolve(import.meta.dirname, "../../../prisma/migrations", migrationName, "migration.sql");
  await client.query(await readFile(file, "utf8"));
};

beforeAll(async () => {
  await onServer(inject("postgresUrl"), `CREATE DATABASE ${name}`);
  client = new pg.Client({
    connectionString: Object.assign(new URL(inject("postgresUrl")), { pathname: name }).toString(),
  });
  await client.connect();
  for (const earlier of await listMigrationNames()) if (earlier < migration) await run(earlier);
  await client.query("SET session_replication_role = replica");
});
afterAll(async () => {
  await client.end();
  await onServer(inject("postgresUrl"), `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
});

const count = async (text: string): Promise<number> => Number((await client.query(text)).rows[0].count);

it("moves every row into the partition of its time, and leaves no foreign key behind that a drop would lock", async () => {
  const denials =
    "INSERT INTO token_denial (jti, expires_at) SELECT 'j' || n, now() + n * interval '6 hours' FROM generate_series(-40, 20) n";
  const requests = `INSERT INTO pushed_request (request_uri_hash, handle, client_id, request, created_at, expires_at)
    SELECT 'r' || n, 'h' || n, 'cl', '{}', now() - n * interval '1 hour', now() - n * interval '1 hour' FROM generate_series(0, 30) n`;
  const tokens = `INSERT INTO refresh_token (secret_hash, family_id, grant_id, client_id, scopes, auth_time, acr, created_at, expires_at)
    SELECT 's' || n, 'f', 'g', 'c', '{}', now(), 'a', now(), now() + n * interval '30 days' FROM generate_series(-2, 12) n`;
  for (const text of [denials, requests, tokens]) await client.query(text);
  await run(migration);
  const held = { token_denial: 61, pushed_request: 31, refresh_token: 15 };
  for (const [table, rows] of Object.entries(held)) {
    expect([table, await count(`SELECT count(*) FROM ${table}`)]).toEqual([table, rows]);
    expect([table, await count(`SELECT count(*) FROM ${table}_default`)]).toEqual([table, 0]);
  }
  const keys = await client.query(
    `SELECT conrelid::regclass::text AS "from" FROM pg_constraint c JOIN pg_partitioned_table p ON p.partrelid = c.conrelid WHERE contype = 'f'`,
  );
  expect(keys.rows).toEqual([]);
});
