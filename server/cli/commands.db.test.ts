import { execFile } from "node:child_process";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { hashMigrations, listMigrationNames } from "../data/schema/migration-files.ts";
import { markRestore, unmarkRestore } from "../data/schema/restore-mark.ts";

let deps: TestDeps;
let directory: string;
beforeAll(async () => {
  deps = await createTestDeps();
  directory = await mkdtemp(path.join(os.tmpdir(), "paygrant-cli-"));
});
afterAll(async () => {
  await deps.close();
  await rm(directory, { recursive: true, force: true });
});

/** Runs a command with arguments like an operator. */
const run = (line: string, databaseUrl: string | null, settings: Record<string, string> = {}) => {
  const [command, ...args] = line.split(" ");
  const env = {
    PATH: process.env["PATH"],
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
    DATA_DIR: directory,
    NODE_ENV: "production" as const,
    ...(databaseUrl && {
      DATABASE_URL: databaseUrl,
      BASE_URL: deps.config.baseUrl,
      MASTER_KEY: Buffer.from(deps.config.masterKey).toString("base64url"),
    }),
    ...settings,
  };
  const file = path.join(import.meta.dirname, `${command}.ts`);
  return promisify(execFile)(process.execPath, [file, ...args], { env }).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, text: stdout + stderr }),
  );
};

test.each([
  "keys",
  "audit",
  "webhooks",
  "registration-token",
  "migrate",
  "check-invariants",
  "release-gate",
  "growth",
  "plans",
])("%s --help prints its usage and does nothing else", async (command) => {
  const answer = await run(`${command} --help`, null);
  expect(answer).toEqual({
    code: 0,
    text: expect.stringContaining(`npm run ${command.replace(/^(check|release)-/, "$1:")}`),
  });
});

test.each(["keys list", "audit verify", "registration-token", "check-invariants", "release-gate", "plans export"])(
  "%s reports that no service was started yet, and creates nothing",
  async (line) => {
    const text = `${directory} is empty: run \`npm start\` first, and leave it running\n`;
    expect(await run(line, null)).toEqual({ code: 1, text });
    expect(await readdir(directory)).toEqual([]);
  },
);

test.each(["keys list", "registration-token", "check-invariants"])(
  "%s refuses the sandbox's own settings",
  async (line) => {
    expect(await run(line, deps.config.databaseUrl, { PAYGRANT_ENVIRONMENT: "sandbox" })).toEqual({
      code: 1,
      text: expect.stringContaining("use production's settings, with SANDBOX_DATABASE_URL and SANDBOX_MASTER_KEY"),
    });
  },
);

test.each([
  ["keys list", "the database does not respond; the embedded database runs only during `npm start`\n"],
  ["audit verify", "the database does not respond; the embedded database runs only during `npm start`\n"],
  ["registration-token", "the database does not respond; the embedded database runs only during `npm start`\n"],
  ["check-invariants", "the database does not respond; the embedded database runs only during `npm start`\n"],
  ["release-gate", "the database does not respond; the embedded database runs only during `npm start`\n"],
  ["plans export", "the database does not respond; the embedded database runs only during `npm start`\n"],
  ["migrate", "DATABASE_URL: no server answers at this address\n"],
])("%s reports in one line that the database doesn't answer", async (line, text) => {
  expect(await run(line, "postgresql://unknown@127.0.0.1:1/nothing")).toEqual({ code: 1, text });
});

test.each([
  ["keys rotate", "--purpose: name the purpose of the key"],
  ["keys list --purpose foo", "--purpose: must be one of"],
  ["keys frob", "frob: use list, rotate or revoke"],
  ["audit frob", "frob: use verify, export or search"],
  ["registration-token --kind bank", "--kind: must be agent or merchant"],
  ["growth --tokens 3", "--tokens: from 1,000 to 50,000,000"],
  ["release-gate --url http://127.0.0.1:9", "no server answers, or the answer isn't JSON"],
  ["growth --frob", "Unknown option '--frob'"],
  ["migrate", "DATABASE_URL: missing"],
  ["plans publish", "publish: use apply FILE, export or assign"],
  ["plans apply nowhere.yaml", "nowhere.yaml: can't be read"],
  ["sandbox-outage --component billing_engine --month 2026-13 --minutes 1", "--month: must be a month"],
  ["sandbox-reset --dry-run", "npm run sandbox:reset"],
])("%s fails and names the problem", async (line, problem) => {
  const answer = await run(line, null);
  expect(answer).toMatchObject({ code: 1, text: expect.stringContaining(problem) });
  expect(answer.text).not.toMatch(/^ {4}at /m);
});

test("migrate updates a configured database, and can be repeated", async () => {
  for (let time = 0; time < 2; time += 1) {
    expect(await run("migrate", deps.config.databaseUrl)).toEqual({ code: 0, text: "up to date\n" });
  }
});

test.each(["migration_name", "checksum"])(
  "migrate refuses a database with another %s, and changes nothing",
  async (column) => {
    const { prisma } = deps.db;
    const [, second = ""] = await listMigrationNames();
    const rename = (from: string, to: string) =>
      prisma.$executeRawUnsafe(`UPDATE _prisma_migrations SET ${column} = $1 WHERE ${column} = $2`, to, from);
    const value =
      column === "checksum" ? ((await hashMigrations()).get(second) ?? "") : ((await listMigrationNames())[0] ?? "");
    const other = column === "checksum" ? "0".repeat(64) : "20200101000000_other";
    await rename(value, other);
    const problem = "DATABASE_URL: the database has a different migration history";
    const answer = await run("migrate", deps.config.databaseUrl);
    await rename(other, value);
    expect(answer).toEqual({ code: 1, text: expect.stringContaining(problem) });
    expect(await run("migrate", deps.config.databaseUrl)).toEqual({ code: 0, text: "up to date\n" });
  },
);

test("commands refuse a database whose restore was interrupted, until a restore completes", async () => {
  const { databaseUrl } = deps.config;
  await markRestore(databaseUrl);
  const problem =
    "DATABASE_URL: a restore of this database was interrupted; repeat it with npm run restore -- <file> --replace\n";
  for (const command of ["migrate", "audit verify", "keys list"])
    expect(await run(command, databaseUrl)).toEqual({ code: 1, text: problem });
  await unmarkRestore(databaseUrl);
  expect(await run("migrate", databaseUrl)).toMatchObject({ code: 0 });
});

test.each(['{"head":', '{"head":7}', "eyabc.def.ghi"])("a damaged anchor is reported in one line: %s", async (text) => {
  const anchor = path.join(directory, "anchor");
  await writeFile(anchor, `${text}\n`);
  const answer = await run(`audit verify --file ${anchor} --anchor ${anchor}`, deps.config.databaseUrl);
  expect(answer).toEqual({ code: 1, text: `${anchor}: contains a damaged head\n` });
  await rm(anchor);
});

test.each(["2026-11-21T12:00", "1", "21.11.2026"])("--from %s is ambiguous and refused", async (from) => {
  const answer = await run(`audit search --from ${from}`, deps.config.databaseUrl);
  expect(answer).toEqual({ code: 1, text: "--from: must be an RFC 3339 time or a date in UTC\n" });
});
