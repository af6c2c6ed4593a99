import { type ChildProcess, fork } from "node:child_process";
import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { findFreePorts } from "#server/cli/checks/free-ports.ts";
import { buildPages } from "#server/cli/supervisor/build.ts";
import { connectDatabase } from "#server/data/client.ts";
import { applyMigrations } from "#server/data/schema-engine.ts";
import { type StandIn, startStandIn } from "../support/stand-in-service.ts";
import { startPostgres } from "../support/test-database.ts";
import { waitUntil } from "../support/wait-until.ts";

/** The status process alone, with a database of its own and services that are out when they are told to be. */

/** What takes a second on a quiet machine, on a busy one. */
const patienceSeconds = 60;

type Told = { id: string; state: string; affected_by: string[] };
type Summary = { components: Told[]; incidents: { state: string; components: { id: string }[] }[] };

let postgres: Awaited<ReturnType<typeof startPostgres>>;
let production: StandIn;
let sandbox: StandIn;
let environment: NodeJS.ProcessEnv;
let statusUrl: string;
let child: ChildProcess;

const start = async (): Promise<ChildProcess> => {
  const started = fork(path.resolve("server/main.ts"), ["--role", "status"], {
    env: environment,
    execArgv: ["--disable-warning=ExperimentalWarning"],
  });
  await new Promise<void>((resolve, reject) => {
    started.once("message", () => resolve());
    started.once("exit", (code) => reject(new Error(`the status process ended with ${code}`)));
  });
  return started;
};

const end = async (signal: "SIGTERM" | "SIGKILL"): Promise<void> => {
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await ended;
};

beforeAll(async () => {
  await buildPages();
  postgres = await startPostgres();
  await applyMigrations(postgres.url);
  [production, sandbox] = await Promise.all([startStandIn(), startStandIn()]);
  const [port = 0] = await findFreePorts(1);
  statusUrl = `http://localhost:${port}`;
  environment = {
    PATH: process.env["PATH"],
    NODE_ENV: "production",
    DATABASE_URL: postgres.url,
    MASTER_KEY: randomBytes(32).toString("base64url"),
    BASE_URL: production.url,
    SANDBOX_URL: sandbox.url,
    STATUS_PORT: String(port),
    DATA_DIR: await mkdtemp(path.join(os.tmpdir(), "paygrant-status-")),
    STATUS_PROBE_SECONDS: "0.5",
    STATUS_INCIDENTS: "public",
    LOG_LEVEL: "error",
  };
  child = await start();
});
afterAll(async () => {
  if (child) await end("SIGTERM");
  for (const service of [production, sandbox]) service?.close();
  await postgres?.stop();
  if (environment?.["DATA_DIR"]) await rm(environment["DATA_DIR"], { recursive: true, force: true });
});

const read = async (route: string): Promise<unknown> => (await fetch(`${statusUrl}${route}`)).json();
const summary = async (): Promise<Summary> => (await read("/status/v1/summary")) as Summary;
const find = async (id: string): Promise<Told | undefined> =>
  (await summary()).components.find((component) => component.id === id);
const until = (id: string, state: string) => waitUntil(async () => (await find(id))?.state === state, patienceSeconds);
const allWell = async () => {
  for (const id of ["authorization_server", "wallet_portal", "sandbox"]) await until(id, "operational");
};
const figure = async (route: string, pick: (component: Record<string, unknown>) => unknown): Promise<number> => {
  const { components } = (await read(route)) as { components: Record<string, unknown>[] };
  return Number(pick(components.find(({ id }) => id === "authorization_server") ?? {}));
};
const down = () =>
  figure("/status/v1/uptime", ({ last_90_days: days }) => (days as { down_ms: number } | undefined)?.down_ms);
const used = () => figure("/status/v1/error-budgets", ({ used_ms: milliseconds }) => milliseconds);

test("production is out: the page says so, the sandbox is affected, an incident opens and calms down, and the budget is used by that time", async () => {
  await allWell();
  const before = Date.now();
  production.goDown();
  await until("authorization_server", "major_outage");
  const seenAt = Date.now();
  expect(await find("wallet_portal")).toMatchObject({ state: "major_outage" });
  expect(await find("sandbox")).toMatchObject({ state: "degraded", affected_by: ["Authorization server"] });
  expect(await find("billing_engine")).toMatchObject({ state: "unknown" });
  await waitUntil(async () => (await summary()).incidents.length === 1, patienceSeconds);
  const [incident] = (await summary()).incidents;
  expect(incident?.components.map(({ id }) => id)).toEqual(["authorization_server", "wallet_portal"]);
  const stillOutAt = Date.now();
  production.comeBack();
  await allWell();
  const outage = await down();
  expect(outage).toBeLessThanOrEqual(Date.now() - before);
  expect(outage).toBeGreaterThanOrEqual(stillOutAt - seenAt);
  expect(await used()).toBe(outage);
  await waitUntil(
    async () => (await summary()).incidents.every(({ state }) => state !== "investigating"),
    patienceSeconds,
  );
});

test("the sandbox alone is out: production is untouched by it", async () => {
  await allWell();
  const before = await down();
  sandbox.goDown();
  await until("sandbox", "major_outage");
  expect(await find("authorization_server")).toMatchObject({ state: "operational", affected_by: [] });
  sandbox.comeBack();
  await allWell();
  expect(await down()).toBe(before);
});

const journalFiles = async () =>
  (await readdir(environment["DATA_DIR"] ?? "")).filter((name) => name.startsWith("journal-"));

test("the database is out: a status process goes on, and a new one begins, with all that was seen; it is brought over later", async () => {
  await allWell();
  await postgres.pause();
  production.goDown();
  await until("authorization_server", "major_outage");
  await end("SIGKILL");
  child = await start();
  expect(await find("authorization_server")).toMatchObject({ state: "major_outage" });
  expect(await journalFiles()).not.toEqual([]);
  production.comeBack();
  await postgres.resume();
  await allWell();
  const db = connectDatabase(environment["DATABASE_URL"] ?? "", 1);
  /** Without the time in which no probe ran, where the new process took long to start. */
  const states = async () => {
    const changes = await db.prisma.componentChange.findMany({
      where: { component: "authorization_server", source: "probe", state: { not: "unknown" } },
      orderBy: [{ at: "asc" }, { id: "asc" }],
    });
    return changes.map(({ state }) => state).filter((state, index, all) => state !== all[index - 1]);
  };
  const all = ["operational", "major_outage", "operational", "major_outage", "operational"];
  await waitUntil(async () => (await states()).length === all.length, patienceSeconds);
  expect(await states()).toEqual(all);
  await db.close();
});
