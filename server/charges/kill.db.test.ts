import { type ChildProcess, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDeps, type TestDeps } from "#e2e/support/test-deps.ts";
import { createProcessors } from "../processors/create-processors.ts";
import type { Processors } from "../processors/port.ts";
import { reconcileDueCharges } from "./reconcile-due-charges.ts";
import { makeStanding } from "./standing.fixture.ts";

const simulatorKey = "kill-test";
const running = new Set<ChildProcess>();
let deps: TestDeps;
let processors: Processors;
let dataDirectory: string;

beforeAll(async () => {
  dataDirectory = await mkdtemp(path.join(tmpdir(), "kill-"));
  deps = await createTestDeps({ processors: { get: (name) => processors.get(name) } });
});
afterAll(async () => {
  for (const child of running) child.kill("SIGKILL");
  await deps.close();
  await rm(dataDirectory, { recursive: true, force: true });
});

/** Starts a TypeScript file as a process of its own and waits for its first line. */
const startProcess = async (file: string, args: string[], onLine: (line: string) => void = () => {}) => {
  const child = spawn(process.execPath, [path.join(import.meta.dirname, file), ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  running.add(child);
  const lines = createInterface({ input: child.stdout });
  const first = await new Promise<string>((resolve) => lines.once("line", resolve));
  lines.on("line", onLine);
  const kill = async () => {
    const gone = new Promise((resolve) => child.once("exit", resolve));
    child.kill("SIGKILL");
    await gone;
    running.delete(child);
  };
  return { first: JSON.parse(first) as { port?: number }, kill };
};

const startSimulator = (port: number) =>
  startProcess("../processors/simulator/simulator-process.fixture.ts", [String(port), dataDirectory, simulatorKey]);

type Payment = { key: string; charge_id: string; status: string; amount: number };
const movedOf = async (url: string, account: string): Promise<Payment[]> => {
  const response = await fetch(`${url}/v1/payments?account=${account}&limit=100000`, {
    headers: { authorization: `Bearer ${simulatorKey}` },
  });
  return ((await response.json()) as { data: Payment[] }).data;
};

test("SIGKILL of the charging process and of the simulator, again and again: no double charge, none lost, no leaked hold", async () => {
  const standings = await Promise.all(
    Array.from({ length: 4 }, () => makeStanding(deps, { max_total_amount: 99_999 })),
  );
  let simulator = await startSimulator(0);
  const port = simulator.first.port ?? 0;
  const simulatorUrl = `http://127.0.0.1:${port}`;
  processors = createProcessors({ simulatorUrl, simulatorKey });
  const permissions = standings.map((standing) => ({
    ...{ mandateId: standing.mandateId, merchantId: standing.merchant.id, clientId: standing.merchantClient.id },
  }));
  const acknowledged = new Map<string, number>();
  const startCharging = () =>
    startProcess(
      "charging-process.fixture.ts",
      [deps.config.databaseUrl, simulatorUrl, simulatorKey, JSON.stringify(permissions)],
      (line) => {
        const { chargeId, status } = JSON.parse(line) as { chargeId: string; status: number };
        acknowledged.set(chargeId, status);
      },
    );

  for (let round = 0; round < 6; round += 1) {
    const charging = await startCharging();
    await sleep(300 + 90 * round);
    if (round % 2 === 1) {
      await simulator.kill();
      await sleep(80);
      simulator = await startSimulator(port);
      await sleep(150);
    }
    await charging.kill();
  }

  // Whatever was under way is due by then: stale reservations, and look-ups twice 'not found' 60 s apart.
  deps.clock.set(new Date());
  for (const seconds of [10, 20, 40, 70, 70]) {
    deps.clock.advance(seconds);
    await reconcileDueCharges(deps, { limit: 1_000 });
  }

  expect(acknowledged.size).toBeGreaterThan(50);
  for (const standing of standings) {
    const rows = await deps.db.prisma.charge.findMany({ where: { mandateId: standing.mandateId } });
    const moved = await movedOf(simulatorUrl, `acct_${standing.merchant.id}`);
    const succeeded = rows.filter((row) => row.state === "succeeded").map((row) => row.id);
    // Each payment there is one charge here, and the other way round.
    expect(moved.map((payment) => payment.charge_id).sort()).toEqual([...succeeded].sort());
    expect(rows.filter((row) => !["succeeded", "voided", "declined"].includes(row.state))).toEqual([]);
    const used = moved.reduce((sum, payment) => sum + BigInt(payment.amount), 0n);
    expect(await standing.counters()).toMatchObject({ used, held: 0n, heldCount: 0n, usedCount: BigInt(moved.length) });
    for (const row of rows) {
      if (acknowledged.get(row.id) === 201) expect(row.state).toBe("succeeded");
      acknowledged.delete(row.id);
    }
  }
  expect([...acknowledged]).toEqual([]);
});
