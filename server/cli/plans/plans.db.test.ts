import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { masterKeyFingerprint } from "../../kernel/crypto/seal.ts";
import { dayIn } from "../../kernel/time/calendar.ts";

let deps: TestDeps;
let directory: string;
beforeAll(async () => {
  deps = await createTestDeps({ config: { environment: "production" } });
  const { baseUrl: issuer, masterKey } = deps.config;
  const environment = { kind: "production", issuer, fingerprint: masterKeyFingerprint(masterKey) };
  await deps.db.prisma.environment.upsert({
    where: { id: 1 },
    create: { id: 1, ...environment },
    update: environment,
  });
  directory = await mkdtemp(path.join(os.tmpdir(), "paygrant-plans-"));
});
afterAll(async () => {
  await deps.close();
  await rm(directory, { recursive: true, force: true });
});

/** Runs `npm run plans` like an operator. */
const plans = (...args: readonly string[]) => {
  const env = {
    PATH: process.env["PATH"],
    NODE_COMPILE_CACHE: process.env["NODE_COMPILE_CACHE"],
    DATA_DIR: directory,
    NODE_ENV: "production" as const,
    DATABASE_URL: deps.config.databaseUrl,
    BASE_URL: deps.config.baseUrl,
    MASTER_KEY: Buffer.from(deps.config.masterKey).toString("base64url"),
  };
  const file = path.resolve(import.meta.dirname, "../plans.ts");
  return promisify(execFile)(process.execPath, [file, ...args], { env }).then(
    ({ stdout, stderr }) => ({ code: 0, stdout, stderr }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({ code, stdout, stderr }),
  );
};

const write = async (text: string): Promise<string> => {
  const file = path.join(directory, "plans.yaml");
  await writeFile(file, text);
  return file;
};
/** The same day in all files, even if the tests run past midnight. */
const effectiveFrom = dayIn("UTC", new Date(Date.now() + 2 * 86_400_000));
const catalogue = (flat: number | string) =>
  `catalogue: 1\nplans:\n  pro: {name: Pro, effective_from: ${effectiveFrom}, interval: month, currencies: {EUR: {flat: ${flat}}}}\n`;

describe("npm run plans (docs/operating.md, Plans)", () => {
  test("apply exits with 2 if there are changes and with 0 if there are none; a dry run applies nothing", async () => {
    const file = await write(catalogue(4900));
    const dry = await plans("apply", file, "--dry-run");
    expect(dry).toMatchObject({ code: 2, stderr: "" });
    expect(dry.stdout).toMatch(/^plan pro: new, version 1, effective from \d{4}-\d\d-\d\d\n/);
    expect(dry.stdout).toContain("  + currencies.EUR.flat: 4900\n");
    expect(dry.stdout).toMatch(/\n1 change; dry run: nothing was applied\n$/);
    expect((await plans("apply", file)).stdout).toMatch(/\n1 change applied\n$/);
    expect(await plans("apply", file)).toEqual({ code: 0, stdout: "no changes\n", stderr: "" });
    const exported = await plans("export");
    expect(await plans("apply", await write(exported.stdout))).toMatchObject({ code: 0 });
    const changed = await plans("apply", await write(catalogue(5900)), "--json");
    expect(changed.code).toBe(2);
    expect(JSON.parse(changed.stdout)).toMatchObject({
      outcome: "changed",
      dry_run: false,
      file_sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
      changes: [
        {
          kind: "plan",
          id: "pro",
          from_version: 1,
          version: 2,
          retired: false,
          migrates_to: null,
          differences: [{ path: "currencies.EUR.flat", from: 4900, to: 5900 }],
        },
      ],
    });
  });

  test("apply exits with 1, and prints the line and column of every error", async () => {
    const file = await write(`${catalogue("49.5")}coupons:\n  A: {percent: 5}\n`);
    const answer = await plans("apply", file);
    const lines = answer.stderr.trimEnd().split("\n");
    expect(answer).toMatchObject({ code: 1, stdout: "" });
    expect(lines).toEqual([
      expect.stringMatching(/^line 3, column \d+: plans\.pro\.currencies\.EUR\.flat: must be a whole number$/),
      expect.stringMatching(/^line 5, column 16: coupons\.A\.percent: must be a decimal in quotes/),
    ]);
    const json = await plans("apply", file, "--json");
    expect(json).toMatchObject({ code: 1, stderr: answer.stderr });
    expect(JSON.parse(json.stdout)).toMatchObject({
      outcome: "refused",
      errors: [
        { line: 3, path: "plans.pro.currencies.EUR.flat" },
        { line: 5, column: 16 },
      ],
    });
  });

  test("refuses a file that isn't UTF-8 with a one-line message", async () => {
    const file = path.join(directory, "latin1.yaml");
    await writeFile(file, Buffer.from("catalogue: 1 # \xe9", "latin1"));
    expect(await plans("apply", file)).toEqual({ code: 1, stdout: "", stderr: `${file}: isn't UTF-8\n` });
  });
});
