import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { appendAuditAlone } from "../data/audit/audit.ts";
import { claimEnvironment } from "../data/platform/environment.ts";
import { masterKeyFingerprint } from "../kernel/crypto/seal.ts";

let deps: TestDeps;
let directory: string;

beforeAll(async () => {
  deps = await createTestDeps();
  directory = await mkdtemp(path.join(os.tmpdir(), "paygrant-audit-"));
  const { baseUrl: issuer, masterKey } = deps.config;
  await claimEnvironment(deps.db, { kind: "production", issuer, fingerprint: masterKeyFingerprint(masterKey) });
  await appendAuditAlone(deps.db, {
    at: deps.clock.now(),
    actor: { kind: "payer", id: "acc_1" },
    action: "consent.approved",
    subjectId: "con_1",
    requestId: "req_1",
  });
});
afterAll(async () => {
  await deps.close();
  await rm(directory, { recursive: true, force: true });
});

/** Runs the command like an operator, with this database or without a database. */
const audit = async (args: readonly string[], databaseUrl = deps.config.databaseUrl) => {
  const environment = {
    PATH: process.env["PATH"],
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
    DATABASE_URL: databaseUrl,
    BASE_URL: deps.config.baseUrl,
    MASTER_KEY: Buffer.from(deps.config.masterKey).toString("base64url"),
    DATA_DIR: directory,
    NODE_ENV: "production" as const,
  };
  const command = [path.join(import.meta.dirname, "audit.ts"), ...args];
  const run = promisify(execFile)(process.execPath, command, { env: environment });
  return run.then(
    ({ stdout }) => ({ code: 0, text: stdout }),
    (error: { code: number; stdout: string; stderr: string }) => ({
      code: error.code,
      text: error.stdout + error.stderr,
    }),
  );
};

it("verifies and exports the log, and checks the file without a database", async () => {
  const file = path.join(directory, "export.jsonl");
  expect(await audit(["verify"])).toMatchObject({ code: 0, text: expect.stringContaining("✓ unchanged") });
  expect(await audit(["export", "--out", file])).toMatchObject({ code: 0 });
  expect(await audit(["export", "--out", file])).toEqual({ code: 1, text: `${file}: exists already\n` });
  const nowhere = "postgresql://unknown@127.0.0.1:1/nothing";
  const checked = await audit(["verify", "--file", file, "--anchor", file], nowhere);
  expect(checked).toMatchObject({ code: 0, text: expect.stringContaining(deps.keys.signingKey("receipt").kid) });
  await writeFile(file, (await readFile(file, "utf8")).replace("acc_1", "acc_2"));
  expect(await audit(["verify", "--file", file], nowhere)).toMatchObject({
    code: 1,
    text: expect.stringMatching(/^✗ shard 0, block 1: entry \d+ was changed\n/),
  });
});

it("finds entries, and reports an error in one line", async () => {
  const found = await audit(["search", "--subject", "con_1", "--json"]);
  expect(JSON.parse(found.text)).toMatchObject({ action: "consent.approved", actor: { kind: "payer", id: "acc_1" } });
  expect(await audit(["search", "--limit", "0"])).toEqual({ code: 1, text: "limit must be from 1 to 500.\n" });
  expect(await audit(["search", "--from", "yesterday"])).toEqual({
    code: 1,
    text: "--from: must be an RFC 3339 time or a date in UTC\n",
  });
  expect(await audit(["verify", "--file", path.join(directory, "none")])).toMatchObject({ code: 1 });
  expect(await audit(["erase"])).toMatchObject({ code: 1, text: expect.stringContaining("npm run audit -- verify") });
});
