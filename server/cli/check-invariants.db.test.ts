import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { chainEntries } from "../audit/chain-entries.ts";
import { invariants } from "../data/invariants/invariants.ts";

// server/charges/charge/invariants.db.test.ts tests the violations of each rule.

let deps: TestDeps;
beforeAll(async () => {
  deps = await createTestDeps();
  // The keys made for this database.
  expect(await chainEntries(deps)).toBeGreaterThan(0);
});
afterAll(() => deps.close());

const check = () => {
  const env = {
    PATH: process.env["PATH"],
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
    NODE_ENV: "production" as const,
    DATABASE_URL: deps.config.databaseUrl,
    BASE_URL: deps.config.baseUrl,
    MASTER_KEY: Buffer.from(deps.config.masterKey).toString("base64url"),
  };
  return promisify(execFile)(process.execPath, [path.join(import.meta.dirname, "check-invariants.ts")], { env }).then(
    ({ stdout }) => ({ code: 0, lines: stdout.trimEnd().split("\n") }),
    ({ code, stdout }: { code: number; stdout: string }) => ({ code, lines: stdout.trimEnd().split("\n") }),
  );
};
const auditRule = "every entry and block of the audit log is unchanged";
const logRule = "the published root of the directory's log matches the log's entries";
const daysRule = "each component's finished days are chained, none is missing and none was changed";

test("check:invariants prints a separate line for each rule that holds, and exits with 0 (docs/spec/operations.md, Checks)", async () => {
  const rules = [...invariants.map(({ name }) => name), auditRule, daysRule, logRule];
  expect(await check()).toEqual({
    code: 0,
    lines: [...rules.map((rule) => `✓ production: ${rule}`), `✓ production: ${rules.length} invariants hold`],
  });
});

test("check:invariants names each broken rule and what breaks it, and exits with 1 (docs/spec/operations.md, Checks)", async () => {
  await deps.db.prisma
    .$executeRaw`INSERT INTO idempotency_key (merchant_id, route, key, body_hash, charge_id, created_at)
    VALUES ('mch_1', 'POST /merchant_test/charge', 'key-1', 'hash', 'chg_none', now())`;
  // The owner of the database can do this by disabling the triggers.
  await deps.db.transaction(async (tx) => {
    await tx.$executeRaw`SET LOCAL session_replication_role = replica`;
    await tx.$executeRaw`UPDATE audit_entry SET subject_id = 'another' WHERE seq = 1`;
  });
  const { code, lines } = await check();
  expect(code).toBe(1);
  expect(lines.filter((line) => line.startsWith("✗"))).toEqual([
    "✗ production: an Idempotency-Key identifies one charge of its merchant, and its response is stored once the outcome is final: mch_1 key-1: its charge does not exist",
    expect.stringMatching(new RegExp(`^✗ production: ${auditRule}: shard \\d+, block 1: entry 1 was changed`)),
    `✗ production: 2 of ${invariants.length + 3} invariants are broken`,
  ]);
});
