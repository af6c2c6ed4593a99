import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { onServer } from "#e2e/support/test-database.ts";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { makeChargeableMandate, scriptedProcessor } from "../charges/charge/charge-setup.fixture.ts";
import { connectDatabase } from "../data/client.ts";
import { invariants } from "../data/invariants/invariants.ts";
import { claimEnvironment } from "../data/platform/environment.ts";
import { masterKeyFingerprint } from "../kernel/crypto/seal.ts";
import { fingerprintsOf } from "../platform/environment.ts";

const target = `restored_${randomBytes(6).toString("hex")}`;
const targetUrl = () => Object.assign(new URL(inject("postgresUrl")), { pathname: target }).toString();
let deps: TestDeps;
let directory: string;
let file: string;
beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), "paygrant-cli-"));
  file = path.join(directory, "backup");
  deps = await createTestDeps({ processors: scriptedProcessor().processors });
  const fingerprint = masterKeyFingerprint(deps.config.masterKey);
  await claimEnvironment(deps.db, { kind: "production", issuer: deps.config.baseUrl, fingerprint });
  await onServer(inject("postgresUrl"), `CREATE DATABASE ${target}`);
});
afterAll(async () => {
  await deps?.close();
  await onServer(inject("postgresUrl"), `DROP DATABASE IF EXISTS ${target} WITH (FORCE)`);
  await rm(directory, { recursive: true, force: true });
});

/** Runs the command like an operator, on a separate PostgreSQL server and without a sandbox. */
const run = (line: string, databaseUrl: string, masterKey: Uint8Array = deps.config.masterKey) => {
  const [command, ...args] = line.split(" ");
  const env = {
    PATH: process.env["PATH"],
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
    DATA_DIR: directory,
    NODE_ENV: "production" as const,
    DATABASE_URL: databaseUrl,
    BASE_URL: deps.config.baseUrl,
    MASTER_KEY: Buffer.from(masterKey).toString("base64url"),
  };
  return promisify(execFile)(process.execPath, [path.join(import.meta.dirname, `${command}.ts`), ...args], {
    env,
  }).then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, text: stdout + stderr }),
  );
};

test("after npm run backup and npm run restore on an empty database, the charges are the same and every invariant holds", async () => {
  const setup = await makeChargeableMandate(deps);
  await Promise.all([setup.charge(), setup.charge()]);
  expect(await run(`backup ${file}`, deps.config.databaseUrl)).toMatchObject({
    code: 0,
    text: expect.stringMatching(/^✓ production: \d+ rows\n/),
  });
  expect(await run(`restore ${file}`, targetUrl())).toMatchObject({
    code: 0,
    text: expect.stringMatching(/^✓ production: \d+ rows, as of \d{4}-/),
  });
  const restored = connectDatabase(targetUrl(), 2);
  try {
    expect(await restored.prisma.charge.count()).toBe(2);
    for (const { name, find } of invariants)
      expect({ name, broken: await find(restored.sql) }).toEqual({ name, broken: [] });
  } finally {
    await restored.close();
  }
});

test("restore doesn't overwrite data without --replace, and doesn't run while the service runs", async () => {
  const line = `restore ${file}`;
  expect(await run(line, targetUrl())).toEqual({
    code: 1,
    text: "production: its database is not empty; --replace deletes its contents\n",
  });
  expect(await run(`${line} --replace`, deps.config.databaseUrl)).toMatchObject({
    code: 1,
    text: expect.stringContaining("connections to its database; stop the service first"),
  });
  expect(await run(`${line} --replace`, targetUrl())).toMatchObject({ code: 0 });
});

test("before it changes anything, restore refuses a backup of another master key and a file that isn't a backup", async () => {
  expect(await run(`restore ${file} --replace`, targetUrl(), randomBytes(32))).toEqual({
    code: 1,
    text: `${file}: production was encrypted with another MASTER_KEY\n`,
  });
  expect(await run(`restore ${file}-other --replace`, targetUrl())).toEqual({
    code: 1,
    text: `${file}-other: file not found\n`,
  });
  expect(await run(`backup ${file}`, deps.config.databaseUrl)).toMatchObject({
    code: 1,
    text: expect.stringContaining("the file already exists"),
  });
  const kept = connectDatabase(targetUrl(), 1);
  expect(await kept.prisma.charge.count()).toBe(2);
  await kept.close();
});

test.each([
  ["backup", "npm run backup -- <file>"],
  ["restore", "npm run restore -- <file>"],
  ["sandbox-reset", "npm run sandbox:reset"],
  ["fingerprints", "npm run fingerprints"],
])("%s --help prints its usage and does nothing else", async (command, usage) => {
  expect(await run(`${command} --help`, "postgresql://unknown@127.0.0.1:1/nothing")).toMatchObject({
    code: 0,
    text: expect.stringContaining(usage),
  });
});

test("npm run fingerprints prints hashes of the values that a sandbox must refuse, and doesn't print the secrets", async () => {
  const { code, text } = await run("fingerprints", deps.config.databaseUrl);
  expect({ code, text }).toEqual({ code: 0, text: `${fingerprintsOf(deps.config).join(",")}\n` });
  expect(text).not.toContain(Buffer.from(deps.config.masterKey).toString("base64url"));
});

test.each(["backup", "restore"])("npm run %s without a file prints its usage", async (command) => {
  const answer = await run(command, targetUrl());
  expect(answer).toMatchObject({ code: 1, text: expect.stringContaining(`npm run ${command} -- <file>`) });
  expect(answer.text).not.toMatch(/^ {4}at /m);
});
