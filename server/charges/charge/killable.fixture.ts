import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "vitest";
import { listProcesses } from "#e2e/support/processes.ts";
import type { Deps } from "../../deps/deps.ts";
import { type Cluster, serverCommand, serverEnvironment } from "../../platform/embedded/cluster.ts";
import type { makeChargeableMandate } from "./charge-setup.fixture.ts";
import { running, startKillableProcess } from "./killable-process.fixture.ts";

export const simulatorKey = "kill-test";
/** @param port 0 selects a free port, which is returned as `first.port`. */
export const startSimulatorProcess = (port: number, dataDirectory: string) =>
  startKillableProcess("../../processors/simulator/server/simulator-process.fixture.ts", [
    String(port),
    dataDirectory,
    simulatorKey,
  ]);

type Setup = Awaited<ReturnType<typeof makeChargeableMandate>>;

/** A process that makes charges until it is killed. `acknowledged` collects the response status of each charge. */
export const startChargingProcess = (
  input: { databaseUrl: string; simulatorUrl: string; setups: readonly Setup[]; approves?: boolean },
  acknowledged: Map<string, number>,
) => {
  const permissions = input.setups.map((setup) => ({
    mandateId: setup.mandateId,
    merchantId: setup.merchant.id,
    clientId: setup.merchantClient.id,
    payerId: input.approves ? setup.payer.id : null,
  }));
  const args = [input.databaseUrl, input.simulatorUrl, simulatorKey, JSON.stringify(permissions)];
  return startKillableProcess("charging-process.fixture.ts", args, (line) => {
    const { chargeId, status } = JSON.parse(line) as { chargeId: string; status: number };
    acknowledged.set(chargeId, status);
  });
};

/** Starts PostgreSQL on a cluster. PostgreSQL runs until its postmaster is killed. */
export const startPostgres = async (cluster: Cluster, port: number, ping: () => Promise<unknown>) => {
  const [command, ...args] = serverCommand(cluster, port);
  const child = spawn(command, args, { ...cluster.runAs.options, cwd: "/", env: serverEnvironment(), stdio: "ignore" });
  running.add(child);
  const isUp = () =>
    ping().then(
      () => true,
      () => false,
    );
  for (const deadline = Date.now() + 60_000; !(await isUp()); await sleep(100)) {
    if (Date.now() > deadline || child.exitCode !== null) throw new Error("PostgreSQL did not start");
  }
  return {
    async kill() {
      const [pid] = (await readFile(path.join(cluster.directory, "postmaster.pid"), "utf8")).split("\n");
      const children = (await listProcesses()).filter(({ parent }) => parent === Number(pid));
      process.kill(Number(pid), "SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      running.delete(child);
      // The postmaster's child processes notice its end and exit. Until then, no other server can start on this
      // directory.
      const areLeft = async () => (await listProcesses()).some((row) => children.some(({ pid }) => pid === row.pid));
      while (await areLeft()) await sleep(50);
    },
  };
};

type Payment = { charge_id: string; amount: number };
/** The payments that the simulator made to an account. */
export const paymentsAtSimulator = async (url: string, account: string): Promise<Payment[]> => {
  const response = await fetch(`${url}/v1/payments?account=${account}&limit=100000`, {
    headers: { authorization: `Bearer ${simulatorKey}` },
  });
  return ((await response.json()) as { data: Payment[] }).data;
};

/**
 * Payments at the simulator and succeeded charges match one to one. No acknowledged charge is lost, and no hold
 * remains.
 */
export const expectBooksToAgree = async (
  deps: Pick<Deps, "db">,
  input: { simulatorUrl: string; setups: readonly Setup[]; acknowledged: ReadonlyMap<string, number> },
): Promise<void> => {
  const states = new Map<string, string>();
  for (const setup of input.setups) {
    const rows = await deps.db.prisma.charge.findMany({ where: { mandateId: setup.mandateId } });
    for (const row of rows) states.set(row.id, row.state);
    const moved = await paymentsAtSimulator(input.simulatorUrl, `acct_${setup.merchant.id}`);
    const succeeded = rows.filter((row) => row.state === "succeeded").map((row) => row.id);
    expect(moved.map((payment) => payment.charge_id).sort()).toEqual([...succeeded].sort());
    expect(rows.filter((row) => !["succeeded", "voided", "declined", "expired"].includes(row.state))).toEqual([]);
    const used = moved.reduce((sum, payment) => sum + BigInt(payment.amount), 0n);
    expect(await setup.counters()).toMatchObject({ used, held: 0n, heldCount: 0n, usedCount: BigInt(moved.length) });
  }
  const lost = [...input.acknowledged].filter(([id, status]) => {
    const state = states.get(id);
    return state === undefined || (status === 201 && state !== "succeeded");
  });
  expect(lost).toEqual([]);
};
