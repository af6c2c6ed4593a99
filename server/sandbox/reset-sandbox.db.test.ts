import { mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { chainEntries } from "../audit/chain-entries.ts";
import { searchAudit } from "../audit/search-audit.ts";
import { verifyAudit } from "../audit/verify-audit.ts";
import { listPublicPlans } from "../billing/catalogue/list-public-plans.ts";
import { makeChargeableMandate, refusalOf } from "../charges/charge/charge-setup.fixture.ts";
import { invariants } from "../data/invariants/invariants.ts";
import { claimEnvironment } from "../data/platform/environment.ts";
import { isResetUnfinished, wasResetSince } from "../data/sandbox/sandbox-reset.ts";
import { finishResetTick, resetJobOf } from "../jobs/status/sandbox-resets.ts";
import { createProcessors } from "../processors/create-processors.ts";
import { type Simulator, startSimulator } from "../processors/simulator/server/server.ts";
import { advanceClock } from "./advance-clock.ts";
import { resetSandbox } from "./reset-sandbox.ts";
import { createSandboxClock } from "./sandbox-clock.ts";

const silent = { debug() {}, info() {}, warn() {}, error() {}, request() {} };
const record = { issuer: "http://localhost:3001", fingerprint: "f" };
const by = { actor: { kind: "operator", id: "acc_operator" } as const, requestId: "req_reset" };
const simulatorKey = "key";

let directory: string;
let simulator: Simulator;
let deps: TestDeps;
beforeAll(async () => {
  directory = await mkdtemp(path.join(os.tmpdir(), "paygrant-reset-"));
  const common = { dataDirectory: directory, key: simulatorKey, webhookUrl: null, log: silent };
  simulator = await startSimulator({ port: 0, ...common, latency: [0, 1] });
  const config = { simulatorUrl: `http://127.0.0.1:${simulator.port}`, simulatorKey, seedDemo: true };
  const processors = createProcessors({ ...config, stripe: null, walletUrl: "http://localhost:3001" });
  const own = await createTestDeps({ config, processors });
  await claimEnvironment(own.db, { kind: "sandbox", ...record });
  deps = { ...own, businessClock: createSandboxClock(own) };
});
afterAll(async () => {
  await deps?.close();
  await simulator?.close();
  await rm(directory, { recursive: true, force: true });
});

const demoMails = ["merchant", "operator", "payer"].map((name) => `${name}@demo.paygrant.test`);
const mails = async () =>
  (await deps.db.prisma.account.findMany({ orderBy: { email: "asc" } })).map(({ email }) => email);
const kids = () => deps.keys.jwks().keys.map(({ kid }) => kid);
const paymentsOf = async (account: string): Promise<unknown[]> => {
  const headers = { authorization: `Bearer ${simulatorKey}` };
  const answer = await fetch(`${deps.config.simulatorUrl}/v1/payments?account=${account}`, { headers });
  return ((await answer.json()) as { data: unknown[] }).data;
};
const brokenRules = async () => {
  const broken: string[] = [];
  for (const { name, find } of invariants) if ((await find(deps.db.sql)).length > 0) broken.push(name);
  return broken;
};

describe("a reset of the sandbox (docs/spec/sandbox.md, Reset)", () => {
  test("replaces all data with the demo data, creates new keys, returns the clock to real time, and keeps every invariant", async () => {
    const setup = await makeChargeableMandate(deps);
    await setup.charge();
    await advanceClock(deps, { to: new Date(deps.clock.now().getTime() + 86_400_000), ...by });
    await chainEntries(deps);
    await deps.db.prisma
      .$executeRaw`INSERT INTO foreign_client_key (thumbprint_hash, seen_at) VALUES ('production-key', now())`;
    const account = `acct_${setup.merchant.id}`;
    expect(await paymentsOf(account)).toHaveLength(1);
    const before = kids();

    expect(await resetSandbox(deps, by)).toBe(true);

    expect(await mails()).toEqual(demoMails);
    expect(await deps.db.prisma.merchant.findMany({ where: { id: setup.merchant.id } })).toEqual([]);
    expect(await deps.db.prisma.mandate.count()).toBe(3);
    const page = { currency: "EUR", limit: 20, startingAfter: null, endingBefore: null };
    expect((await listPublicPlans(deps, page)).plans.map(({ name }) => name)).toEqual(["Free", "Pro", "Scale"]);
    expect(await paymentsOf(account)).toEqual([]);
    expect(kids().filter((kid) => before.includes(kid))).toEqual([]);
    expect(kids()).toHaveLength(before.length);
    expect(await deps.businessClock.now()).toEqual(deps.clock.now());
    expect(await isResetUnfinished(deps.db.sql)).toBe(false);
    // Production's keys are still refused here.
    expect(await deps.db.prisma.foreignClientKey.count()).toBe(1);
    expect(await brokenRules()).toEqual([]);
  });

  test("starts a new chained audit log with the reset itself, and keeps the log protected against other truncation", async () => {
    const { entries } = await searchAudit(deps, { action: "sandbox.reset", from: new Date(0) });
    expect(entries).toMatchObject([{ actorKind: "operator", actorId: by.actor.id, requestId: by.requestId }]);
    await expect(deps.db.prisma.$executeRawUnsafe("TRUNCATE audit_entry")).rejects.toThrow();
    expect(await chainEntries(deps)).toBeGreaterThan(0);
    expect((await verifyAudit(deps)).problems).toEqual([]);
  });

  test("is restarted by a worker if it was interrupted, and counts as done only once it has completed", async () => {
    const away = { ...deps, config: { ...deps.config, simulatorUrl: "http://127.0.0.1:1" } };
    await expect(resetSandbox(away, by)).rejects.toThrow();
    expect(await isResetUnfinished(deps.db.sql)).toBe(true);
    expect(await mails()).toEqual([]);
    expect(await finishResetTick.run(deps)).toEqual({ done: 1, hasMore: false });
    expect(await mails()).toEqual(demoMails);
    expect(await finishResetTick.run(deps)).toEqual({ done: 0, hasMore: false });
  });

  test("the weekly job does nothing if a reset has begun since the job was due, so that new data isn't deleted", async () => {
    const { entries } = await searchAudit(deps, { action: "sandbox.reset", from: new Date(0) });
    const at = entries.at(-1)?.at ?? new Date(0);
    expect(await wasResetSince(deps.db.sql, new Date(at.getTime() + 1))).toBe(false);
    const due = { weekday: at.getUTCDay(), hour: at.getUTCHours(), minute: at.getUTCMinutes() };
    const job = resetJobOf({ ...deps.config, environment: "sandbox", sandboxReset: due });
    const later = { now: () => new Date(at.getTime() + 1_000) } as typeof deps.clock;
    expect(await job?.run({ ...deps, clock: later })).toEqual({ skipped: "done" });
  });

  test("is refused while another reset is in progress; during a reset the clock can't move and no worker starts another reset", async () => {
    const first = resetSandbox(deps, by);
    await expect.poll(() => isResetUnfinished(deps.db.sql)).toBe(true);
    expect((await refusalOf(resetSandbox(deps, by))).code).toBe("clock_in_use");
    expect(await finishResetTick.run(deps)).toEqual({ done: 0, hasMore: false });
    expect(await first).toBe(true);
    expect(await mails()).toEqual(demoMails);
  });

  test("completes under ongoing requests, and leaves nothing incomplete", async () => {
    let isDone = false;
    const keepCharging = async () => {
      while (!isDone)
        await makeChargeableMandate(deps)
          .then((setup) => setup.charge())
          .catch(() => {});
    };
    const charging = [keepCharging(), keepCharging(), keepCharging()];
    // Always stop them: otherwise they would continue forever on a deleted database.
    await resetSandbox(deps, by).finally(() => {
      isDone = true;
    });
    await Promise.all(charging);
    expect(await mails()).toEqual(expect.arrayContaining(demoMails));
    expect(await brokenRules()).toEqual([]);
  });

  test("is refused by a production configuration and by a production database", async () => {
    const config = { ...deps.config, environment: "production" as const };
    await expect(resetSandbox({ ...deps, config }, by)).rejects.toThrow("only a sandbox can be reset");
    const production = await createTestDeps();
    try {
      await claimEnvironment(production.db, { kind: "production", ...record });
      await makeChargeableMandate(production);
      await expect(resetSandbox(production, by)).rejects.toThrow("not a sandbox's");
      expect(await production.db.prisma.mandate.count()).toBe(1);
    } finally {
      await production.close();
    }
  });
});
