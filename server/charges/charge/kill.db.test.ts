import { randomBytes } from "node:crypto";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { findFreeRow } from "../../cli/checks/free-ports.ts";
import { connectDatabase } from "../../data/client.ts";
import { findViolations } from "../../data/invariants/invariants.ts";
import { applyMigrations } from "../../data/schema/schema-engine.ts";
import type { Processors } from "../../deps/processor-port.ts";
import { createCluster, findCluster } from "../../platform/embedded/cluster.ts";
import { createProcessors } from "../../processors/create-processors.ts";
import { reconcileDueCharges } from "../reconcile/reconcile-due-charges.ts";
import { makeChargeableMandate } from "./charge-setup.fixture.ts";
import {
  expectBooksToAgree,
  simulatorKey,
  startChargingProcess,
  startPostgres,
  startSimulatorProcess,
} from "./killable.fixture.ts";
import { killAll } from "./killable-process.fixture.ts";

let deps: TestDeps;
let processors: Processors;
let directory: string;
let simulator: Awaited<ReturnType<typeof startSimulatorProcess>>;
let simulatorUrl: string;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), "kill-"));
  simulator = await startSimulatorProcess(0, directory);
  simulatorUrl = `http://127.0.0.1:${simulator.first.port}`;
  processors = createProcessors({ simulatorUrl, simulatorKey, stripe: null, walletUrl: "" });
  deps = await createTestDeps({ processors: { get: (name) => processors.get(name) } });
});
afterAll(async () => {
  killAll();
  await deps.close();
  await rm(directory, { recursive: true, force: true });
});

/**
 * Advances the clock and reconciles, until all stale reservations and all look-ups are done. A look-up must return
 * 'not found' twice, 60 s apart.
 */
const reconcileAll = async (own: TestDeps) => {
  own.clock.set(new Date());
  for (const seconds of [10, 20, 40, 70, 70]) {
    own.clock.advance(seconds);
    await reconcileDueCharges(own, { limit: 1_000 });
  }
};

/** Waits for `count` more acknowledged charges, so that the kill interrupts running work on a slow machine too. */
const untilMore = async (acknowledged: ReadonlyMap<string, number>, count: number) => {
  const target = acknowledged.size + count;
  for (const deadline = Date.now() + 60_000; acknowledged.size < target; await sleep(20)) {
    if (Date.now() > deadline) throw new Error(`only ${acknowledged.size} charges were acknowledged`);
  }
};

/** Mandates that are valid at the real time, for processes that use the real clock. */
const makeSetups = (own: TestDeps, terms: { step_up_above?: number } = {}) => {
  own.clock.set(new Date());
  return Promise.all(
    Array.from({ length: 4 }, () => makeChargeableMandate(own, { max_total_amount: 99_999, ...terms })),
  );
};

test("repeated SIGKILL of the charging process and of the simulator causes no double charge, no lost charge and no leaked hold", async () => {
  const setups = await makeSetups(deps);
  const acknowledged = new Map<string, number>();
  for (let round = 0; round < 6; round += 1) {
    const { databaseUrl } = deps.config;
    const charging = await startChargingProcess({ databaseUrl, simulatorUrl, setups }, acknowledged);
    await untilMore(acknowledged, 15);
    await sleep(50 * round);
    if (round % 2 === 1) {
      await simulator.kill();
      await sleep(80);
      simulator = await startSimulatorProcess(simulator.first.port ?? 0, directory);
      await sleep(150);
    }
    await charging.kill();
  }
  await reconcileAll(deps);
  await expectBooksToAgree(deps, { simulatorUrl, setups, acknowledged });
});

test("after SIGKILL between the payer's approval and the processor's answer, approved payments are made once, and all others expire", async () => {
  const setups = await makeSetups(deps, { step_up_above: 1 });
  const acknowledged = new Map<string, number>();
  for (let round = 0; round < 4; round += 1) {
    const { databaseUrl } = deps.config;
    const settings = { databaseUrl, simulatorUrl, setups, approves: true };
    const charging = await startChargingProcess(settings, acknowledged);
    await untilMore(acknowledged, 10);
    await sleep(37 * round);
    await charging.kill();
  }
  await reconcileAll(deps);
  deps.clock.advance(15 * 60);
  await reconcileDueCharges(deps, { limit: 1_000 });
  await expectBooksToAgree(deps, { simulatorUrl, setups, acknowledged });
  expect(await findViolations(deps.db.sql)).toEqual([]);
  expect([...acknowledged.values()]).toContain(201);
});

test("after SIGKILL of PostgreSQL while charges run, all acknowledged charges exist, and no other money moved", async () => {
  const password = randomBytes(12).toString("hex");
  const cluster = await findCluster(path.join(directory, "cluster"));
  await createCluster(cluster, password);
  const port = await findFreeRow(1);
  const databaseUrl = `postgresql://postgres:${password}@127.0.0.1:${port}/postgres`;
  const db = connectDatabase(databaseUrl, 10);
  const ping = () => db.prisma.$queryRaw`SELECT 1`;
  let postgres = await startPostgres(cluster, port, ping);
  await applyMigrations(databaseUrl);
  const own: TestDeps = { ...deps, db };
  const setups = await makeSetups(own);
  const acknowledged = new Map<string, number>();
  const charging = await startChargingProcess({ databaseUrl, simulatorUrl, setups }, acknowledged);
  for (let round = 0; round < 3; round += 1) {
    await untilMore(acknowledged, 25);
    await sleep(70 * round);
    await postgres.kill();
    postgres = await startPostgres(cluster, port, ping);
  }
  await untilMore(acknowledged, 10);
  await charging.kill();
  await reconcileAll(own);
  await expectBooksToAgree(own, { simulatorUrl, setups, acknowledged });
  await db.close();
  await postgres.kill();
});
