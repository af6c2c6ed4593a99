import { spawn } from "node:child_process";
import { readFile } from "node:fs/promises";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { findFreeRow } from "#server/cli/checks/free-ports.ts";
import { startTestInstance, type TestInstance, testEnvironment } from "#server/cli/checks/test-instance.ts";
import { startTraceCollector } from "../support/peers/trace-collector.ts";
import { killOutright, listProcesses, listRole, type ProcessRow } from "../support/processes.ts";
import { waitUntil } from "../support/wait-until.ts";
import { isLost, isUnready, keptConnections, startLoad } from "./steady-load.ts";

/** A long run sets ROLLING_RATE=300 ROLLING_ROUNDS=5. */
const rollingRate = Number(process.env["ROLLING_RATE"] ?? 100);
const rollingRounds = Number(process.env["ROLLING_ROUNDS"] ?? 1);
/** A process has 20 s to drain, then closes its resources, and is killed after 25 s in total. */
const drainSeconds = 25;

const childrenOf = async (pid: number, role?: Role): Promise<ProcessRow[]> =>
  (await listProcesses()).filter(
    (row) =>
      row.parent === pid && row.command.includes("server/main.ts") && (!role || row.command.endsWith(`--role ${role}`)),
  );

const answers = (port: string | undefined, route = "/readyz"): Promise<boolean> =>
  fetch(`http://localhost:${port}${route}`).then(
    (response) => response.ok,
    () => false,
  );

const environmentOf = async (pid: number): Promise<Record<string, string>> =>
  Object.fromEntries(
    (await readFile(`/proc/${pid}/environ`, "utf8"))
      .split("\0")
      .filter(Boolean)
      .map((entry) => [entry.slice(0, entry.indexOf("=")), entry.slice(entry.indexOf("=") + 1)]),
  );

let instance: TestInstance;

const allReady = async () =>
  (await Promise.all(["PORT", "SANDBOX_PORT", "STATUS_PORT"].map((name) => answers(instance.environment[name])))).every(
    Boolean,
  );

const postmaster = async (): Promise<number> =>
  Number((await readFile(path.join(instance.dataDirectory, "postgres/postmaster.pid"), "utf8")).split("\n", 1)[0]);

const perRole = { web: 4, worker: 2, simulator: 2, status: 1, postgres: 1 } as const;
type Role = keyof typeof perRole;

/** The processes of both environments. A process that was killed or lost its database may be restarting. */
const environmentsOf = async (role: Role): Promise<Record<string, string>[]> => {
  let found: Record<string, string>[] = [];
  await waitUntil(async () => {
    const rows = await childrenOf(instance.pid, role);
    found = await Promise.all(rows.map(({ pid }) => environmentOf(pid).catch(() => ({}))));
    return found.filter((environment) => "DATA_DIR" in environment).length === perRole[role];
  });
  return found;
};

let metricsPort: number;
let collector: Awaited<ReturnType<typeof startTraceCollector>>;
beforeAll(async () => {
  collector = await startTraceCollector();
  metricsPort = await findFreeRow(perRole.web + perRole.worker + perRole.status);
  const settings = { METRICS_PORT: String(metricsPort), OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
  instance = await startTestInstance(await testEnvironment({ WEB_CONCURRENCY: "2", ...settings }));
});
afterAll(async () => {
  await instance?.stop();
  await instance?.remove();
  collector?.close();
});

describe("a killed process is restarted", () => {
  test.each(Object.entries(perRole) as [Role, number][])("%s", async (role, total) => {
    await environmentsOf(role);
    const before = await childrenOf(instance.pid, role);
    expect(before).toHaveLength(total);
    for (const { pid } of before) killOutright(pid);
    await waitUntil(async () => {
      const after = await childrenOf(instance.pid, role);
      return after.length === before.length && after.every(({ pid }) => !before.some((old) => old.pid === pid));
    });
    await waitUntil(allReady);
  });

  test("PostgreSQL itself, without a restart of the web processes", async () => {
    const web = (await childrenOf(instance.pid, "web")).map(({ pid }) => pid);
    // The current keeper may be about to end a PostgreSQL that an earlier keeper started.
    await waitUntil(async () => {
      const [pid, [keeper]] = [await postmaster().catch(() => 0), await childrenOf(instance.pid, "postgres")];
      return (await listProcesses()).some((row) => row.pid === pid && row.parent === keeper?.pid);
    });
    const killed = await postmaster();
    process.kill(killed, "SIGKILL");
    await waitUntil(async () => ![killed, 0].includes(await postmaster().catch(() => 0)));
    await waitUntil(allReady);
    expect((await childrenOf(instance.pid, "web")).map(({ pid }) => pid)).toEqual(web);
  });
});

/** SIGTERM, as a deployment sends it. @returns seconds until the process ended. */
const stopProcess = async (pid: number): Promise<number> => {
  const startedAt = performance.now();
  process.kill(pid, "SIGTERM");
  await waitUntil(async () => !(await listProcesses()).some((row) => row.pid === pid));
  return (performance.now() - startedAt) / 1000;
};
const scrape = async (port: number): Promise<string> => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
/** Production's web processes and its worker, which publish their metrics once they serve. */
const isServing = async (): Promise<boolean> =>
  (await Promise.all([0, 1, 2].map((index) => scrape(metricsPort + index).then(Boolean, () => false)))).every(Boolean);
/** Suspends the supervisor for longer than an ending process waits for a reply, as can happen on a busy machine. */
const holdSupervisor = (milliseconds = 4_000): void => {
  process.kill(instance.pid, "SIGSTOP");
  setTimeout(() => process.kill(instance.pid, "SIGCONT"), milliseconds);
};
/** Production's web processes. They receive the load. */
const listWeb = () => listRole(instance.dataDirectory, "web", "production");

describe("a rolling restart (docs/spec/operations.md, Shutdown)", () => {
  const load = `at ${rollingRate} requests a second`;
  test(`loses no request ${load} while every web process is restarted in turn and the supervisor is suspended`, async () => {
    await waitUntil(allReady);
    const stopLoad = startLoad(`http://localhost:${instance.environment["PORT"]}`, rollingRate);
    const took: number[] = [];
    for (let round = 0; round < rollingRounds; round += 1) {
      const before = await listWeb();
      expect(before).toHaveLength(2);
      for (const pid of before) {
        if (took.length === 0) holdSupervisor();
        took.push(await stopProcess(pid));
        await waitUntil(async () => (await listWeb()).length === 2 && (await isServing()) && (await allReady()));
      }
    }
    const answers = await stopLoad();
    const lost = answers.filter(isLost);
    const repeated = answers.filter((answer) => "status" in answer && answer.repeatedFor !== null);
    const unready = answers.filter(isUnready);
    const each = took.map((seconds) => seconds.toFixed(1)).join(", ");
    const sums = `${lost.length} lost, ${repeated.length} sent again, ${unready.length} answered that it is not ready`;
    console.log(`${answers.length} requests over ${took.length} restarts, ${sums}; drained in ${each} s`);
    // Printed before the checks, because a run that is interrupted doesn't report their failures.
    for (const one of [...lost, ...repeated]) console.log(JSON.stringify(one));
    expect(lost).toEqual([]);
    // On a very busy machine, a connection to the database may take four seconds.
    expect(unready.length).toBeLessThan(answers.length / 100);
    // A request is sent again only if its connection was being closed, which affects a few of many requests.
    expect(repeated.length).toBeLessThan(took.length * keptConnections);
    expect(answers.length).toBeGreaterThan(took.length * rollingRate);
    expect(Math.max(...took)).toBeLessThan(drainSeconds);
  });

  test.each(["worker", "status"] as const)(
    "%s: each process ends within its drain time and is restarted",
    async (role) => {
      await environmentsOf(role);
      const before = (await childrenOf(instance.pid, role)).map(({ pid }) => pid);
      for (const seconds of await Promise.all(before.map(stopProcess))) expect(seconds).toBeLessThan(drainSeconds);
      await environmentsOf(role);
    },
  );

  test("each process publishes its own metrics on its own port (docs/spec/operations.md, Metrics and traces)", async () => {
    await waitUntil(isServing);
    for (let count = 0; count < 4; count += 1) await answers(instance.environment["PORT"], "/.well-known/jwks.json");
    const web = await Promise.all([scrape(metricsPort), scrape(metricsPort + 1)]);
    for (const text of web) expect(text).toContain('paygrant_pool_connections{state="idle"}');
    expect(web.join("\n")).toContain('paygrant_requests_total{operation="jwks",status="200"}');
    expect(await scrape(metricsPort + 2)).toContain('paygrant_queue_lag_seconds{queue="webhooks"}');
  });

  test("each request's trace reaches the collector, with its SQL statements (docs/spec/operations.md, Metrics and traces)", async () => {
    const listChildren = () => {
      const spans = collector.spans();
      const roots = spans.filter(({ name }) => name === "getReadiness").map(({ spanId }) => spanId);
      return spans.filter(({ parentSpanId }) => roots.includes(parentSpanId ?? ""));
    };
    await answers(instance.environment["PORT"]);
    await waitUntil(async () => listChildren().length > 0);
    for (const { attributes } of listChildren()) expect(attributes).toMatchObject({ "db.system.name": "postgresql" });
  });

  test("runs of a worker's jobs and of the probes reach the collector too (docs/spec/operations.md, Metrics and traces)", async () => {
    const isTraced = (job: string) => collector.spans().some(({ name, parentSpanId }) => name === job && !parentSpanId);
    // Each runs at least once a minute.
    await waitUntil(async () => ["grant-probe", "run-probes"].every(isTraced));
  });
});

describe("production and sandbox are isolated from each other (docs/spec/operations.md, Environment variables)", () => {
  test("no process of the sandbox gets a secret or the database of production", async () => {
    const secrets = JSON.parse(await readFile(path.join(instance.dataDirectory, "secrets.json"), "utf8"));
    const sandbox = (await Promise.all((["web", "worker", "simulator"] as const).map(environmentsOf)))
      .flat()
      .filter((environment) => environment["PAYGRANT_ENVIRONMENT"] === "sandbox");
    expect(sandbox).toHaveLength(4);
    for (const environment of sandbox) {
      const text = JSON.stringify(environment);
      for (const secret of [...Object.values<string>(secrets.production), secrets.postgresPassword])
        expect(text).not.toContain(secret);
      expect(text).not.toContain("paygrant_production");
    }
  });

  test("neither environment's role can connect to the other's database, nor to PostgreSQL's own", async () => {
    for (const own of await environmentsOf("worker")) {
      const other = own["PAYGRANT_ENVIRONMENT"] === "sandbox" ? "production" : "sandbox";
      for (const database of [`paygrant_${other}`, "postgres", "template1"]) {
        const url = Object.assign(new URL(own["DATABASE_URL"] ?? ""), { pathname: database }).toString();
        const client = new pg.Client({ connectionString: url });
        await expect(client.connect()).rejects.toMatchObject({ code: "42501" });
      }
    }
  });

  test.each([
    ["MASTER_KEY", /^MASTER_KEY: this is production's/m],
    ["DATABASE_URL", /^DATABASE_URL: this is production's/m],
    ["BASE_URL", /^BASE_URL: this is production's/m],
  ])("the sandbox doesn't start with production's %s (docs/spec/oauth.md, Key separation)", async (name, message) => {
    const workers = await environmentsOf("worker");
    const production = workers.find((environment) => environment["PAYGRANT_ENVIRONMENT"] === "production");
    const sandbox = workers.find((environment) => environment["PAYGRANT_ENVIRONMENT"] === "sandbox");
    const result = await runWorker({ ...sandbox, [name]: production?.[name] ?? "" });
    expect(result).toMatchObject({ code: 78, complaint: expect.stringMatching(message) });
  });

  test("the sandbox recognizes and refuses production's database under another address", async () => {
    const workers = await environmentsOf("worker");
    const production = workers.find((environment) => environment["PAYGRANT_ENVIRONMENT"] === "production");
    const sandbox = workers.find((environment) => environment["PAYGRANT_ENVIRONMENT"] === "sandbox");
    const alias = (production?.["DATABASE_URL"] ?? "").replace("127.0.0.1", "localhost");
    const result = await runWorker({ ...sandbox, DATABASE_URL: alias });
    expect(result).toMatchObject({ code: 78, complaint: expect.stringContaining("belongs to production") });
  });
});

const runWorker = (
  environment: Record<string, string | undefined>,
): Promise<{ code: number | null; complaint: string }> =>
  new Promise((resolve) => {
    const child = spawn(process.execPath, ["server/main.ts", "--role", "worker"], {
      env: { NODE_ENV: "production", ...environment },
    });
    let complaint = "";
    child.stderr.on("data", (chunk) => (complaint += chunk));
    const deadline = setTimeout(() => child.kill("SIGKILL"), 240_000);
    child.once("exit", (code) => {
      clearTimeout(deadline);
      resolve({ code, complaint });
    });
  });

describe("starting and stopping (docs/spec/operations.md, Starting and testing)", () => {
  test("refuses a second start on the same data while the service runs", async () => {
    await expect(startTestInstance(instance.environment)).rejects.toThrow(/already running/);
  });

  test("if the supervisor is killed, all its processes end, and the next start keeps the data", async () => {
    const children = await childrenOf(instance.pid);
    const server = await postmaster();
    process.kill(instance.pid, "SIGKILL");
    await instance.exited;
    await waitUntil(async () => {
      const alive = new Set((await listProcesses()).map(({ pid }) => pid));
      return ![...children.map(({ pid }) => pid), server].some((pid) => alive.has(pid));
    });
    const again = await startTestInstance(instance.environment);
    const done = [
      "generate .*up to date",
      "build .*up to date",
      "migrations .*production: up to date; sandbox: up to date",
    ];
    for (const step of done) expect(again.output()).toMatch(new RegExp(step));
    instance = again;
  });

  test("a start right after a kill waits for the remaining processes of the killed run", async () => {
    process.kill(instance.pid, "SIGKILL");
    await instance.exited;
    instance = await startTestInstance(instance.environment);
    await waitUntil(allReady);
  });

  test("SIGTERM ends everything, PostgreSQL last and in order, with exit code 0", async () => {
    const children = await childrenOf(instance.pid);
    const server = await postmaster();
    expect(await instance.stop()).toBe(0);
    const alive = new Set((await listProcesses()).map(({ pid }) => pid));
    expect([...children.map(({ pid }) => pid), server].filter((pid) => alive.has(pid))).toEqual([]);
  });
});
