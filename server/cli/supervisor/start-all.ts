import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { readVariables, type Variables } from "../../platform/config.ts";
import { createLog } from "../../platform/log.ts";
import { buildPages, generateClient } from "./build.ts";
import * as environments from "./environments.ts";
import { acquireInstanceLock } from "./instance-lock.ts";
import { launchRole, launchSharing, runCommand } from "./launch.ts";
import { assertPortsFree } from "./ports.ts";
import { readOrCreateSecrets } from "./secrets.ts";
import { readSettingsFile, settingWarnings } from "./setting-warnings.ts";
import { startPostgres } from "./start-postgres.ts";
import { StartError, step } from "./steps.ts";
import { type SupervisedProcess, supervise } from "./supervised.ts";

/** The maximum time in which the processes of a killed run must release their ports. */
const leftoverSeconds = 45;
/** The maximum time in which a process must stop: the time limit of its drain, plus a margin. */
const stopMilliseconds = 25_000;

/** Implements `npm start`: resolves when all processes are ready, and continues to supervise them. */
export const startAll = async (outer: NodeJS.ProcessEnv): Promise<void> => {
  const variables = readVariables(outer);
  const dataDirectory = path.resolve(variables.DATA_DIR);
  const log = createLog({ role: "supervisor", environment: "both" }, variables.LOG_LEVEL);
  const lock = await acquireInstanceLock(dataDirectory);
  const processes: SupervisedProcess[] = [];
  onShutdown(processes, lock.release);
  try {
    const secrets = await readOrCreateSecrets(dataDirectory);
    const input = { outer, variables, secrets };
    const production = environments.productionService(input);
    const sandbox = environments.sandboxService(input, production);
    const services = sandbox ? [production, sandbox] : [production];
    for (const line of settingWarnings(await readSettingsFile(), variables)) process.stderr.write(`${line}\n`);
    await assertPortsFree(portsOf(variables, services), lock.wasKilled ? leftoverSeconds : 0);

    await step("generate", generateClient, wasMade);
    await step("build", buildPages, wasMade);
    if (services.some((service) => service.tenant)) {
      await step(
        "PostgreSQL",
        () => startPostgres(input, services, { processes, log }),
        (detail) => detail,
      );
    }
    await step(
      "migrations",
      () => onEach(services, (service) => runCommand("migrate", [], service.variables)),
      joinLines,
    );
    // The processor starts first, because the demo data's charges are made at the processor.
    startSimulators(input, services, { processes, log });
    await withinSeconds(60, Promise.all(processes.map((process) => process.ready)));
    await step("demo data", () => onEach(services, (service) => runCommand("seed", [], service.variables)), joinLines);
    await step(
      "processes",
      () => startProcesses(input, services, { processes, log }),
      (total) => `${total} run`,
    );
    announce(variables, services);
  } catch (error) {
    await stopAll(processes);
    await lock.release();
    throw error;
  }
};

type Input = Parameters<typeof environments.productionService>[0];
type Log = ReturnType<typeof createLog>;

const wasMade = (isNew: boolean): string => (isNew ? "" : "up to date");
const joinLines = (lines: readonly string[]): string => lines.join("; ");

const onEach = (services: readonly environments.Service[], work: (service: environments.Service) => Promise<string>) =>
  Promise.all(services.map(async (service) => `${service.name}: ${await work(service)}`));

const portsOf = (variables: Variables, services: readonly environments.Service[]): Record<string, number> => ({
  PORT: variables.PORT,
  STATUS_PORT: variables.STATUS_PORT,
  ...(services.length > 1 ? { SANDBOX_PORT: variables.SANDBOX_PORT } : {}),
  ...Object.fromEntries(
    metricsPorts(variables, services).map((port, index) => [index ? `METRICS_PORT + ${index}` : "METRICS_PORT", port]),
  ),
  ...Object.fromEntries(
    services
      .filter((service) => service.config.simulatorUrl)
      .map(({ name }) =>
        name === "production"
          ? ["SIMULATOR_PORT", variables.SIMULATOR_PORT]
          : ["SANDBOX_SIMULATOR_PORT", variables.SANDBOX_SIMULATOR_PORT],
      ),
  ),
  ...(services.some((service) => service.tenant) ? { POSTGRES_PORT: variables.POSTGRES_PORT } : {}),
});

/**
 * The metrics ports, in the order in which the processes start: one for each web process, each worker and the status
 * process.
 */
const metricsPorts = (
  { METRICS_PORT: first, WEB_CONCURRENCY: web }: Variables,
  services: readonly environments.Service[],
): number[] => (first ? Array.from({ length: services.length * (web + 1) + 1 }, (_, index) => first + index) : []);

const startSimulators = (
  input: Input,
  services: readonly environments.Service[],
  { processes, log }: { processes: SupervisedProcess[]; log: Log },
): void => {
  for (const { name, config } of services) {
    if (!config.simulatorUrl) continue;
    const environment = environments.simulatorEnvironment(input, name);
    processes.push(supervise(`${name} simulator`, () => launchRole("simulator", environment), log));
  }
};

const startProcesses = async (
  input: Input,
  services: readonly environments.Service[],
  { processes, log }: { processes: SupervisedProcess[]; log: Log },
): Promise<number> => {
  const metrics = metricsPorts(input.variables, services)[Symbol.iterator]();
  // Without ports, the processes still get the setting, so that the console shows it.
  const nextPort = () => metrics.next().value ?? input.variables.METRICS_PORT;
  for (const { name, variables } of services) {
    for (let index = 1; index <= input.variables.WEB_CONCURRENCY; index++) {
      const own = environments.withMetrics(variables, nextPort());
      processes.push(supervise(`${name} web ${index}`, () => launchSharing("web", own), log));
    }
    const own = environments.withMetrics(variables, nextPort());
    processes.push(supervise(`${name} worker`, () => launchRole("worker", own), log));
  }
  const [production, sandbox = null] = services;
  if (!production) throw new StartError("nothing to start");
  const status = environments.withMetrics(environments.statusEnvironment(input, production, sandbox), nextPort());
  processes.push(supervise("status", () => launchRole("status", status), log));
  await withinSeconds(300, Promise.all(processes.map((process) => process.ready)));
  const ports = [...services.map((service) => service.config.port), input.variables.STATUS_PORT];
  await Promise.all(ports.map((port) => untilReady(port, input.variables.LISTEN_HOST)));
  return processes.length;
};

const withinSeconds = async (seconds: number, work: Promise<unknown>): Promise<void> => {
  const timer = new AbortController();
  try {
    await Promise.race([
      work,
      sleep(seconds * 1000, undefined, { signal: timer.signal }).then(() => {
        throw new StartError(`not ready within ${seconds} s; the log above shows which process and why`);
      }),
    ]);
  } catch (error) {
    throw error instanceof StartError ? error : new StartError((error as Error).message);
  } finally {
    timer.abort();
  }
};

const untilReady = async (port: number, host: string | undefined): Promise<void> => {
  const address = !host || host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  let last = "no answer";
  for (const deadline = performance.now() + 30_000; performance.now() < deadline; await sleep(100)) {
    try {
      const response = await fetch(`http://${address.includes(":") ? `[${address}]` : address}:${port}/readyz`);
      last = await response.text();
      if (response.ok) return;
    } catch (error) {
      last = (error as Error).message;
    }
  }
  throw new StartError(`port ${port} is not ready: ${last}`);
};

const announce = (variables: Variables, services: readonly environments.Service[]): void => {
  const [production, sandbox] = services;
  const isSeeded = services.some((service) => service.variables["SEED_DEMO"] === "1");
  const lines = [
    `ready ${production?.config.baseUrl}`,
    "",
    `  production   ${production?.config.baseUrl}`,
    sandbox
      ? `  sandbox      ${sandbox.config.baseUrl}   demo: ${sandbox.config.baseUrl}/demo`
      : "  sandbox      not started: SANDBOX_DATABASE_URL is not set",
    `  status       ${production?.config.statusUrl}`,
    ...(isSeeded
      ? [
          "",
          "  sign in as   payer@demo.paygrant.test   password: paygrant-demo",
          "               merchant@demo.paygrant.test and operator@demo.paygrant.test open the dashboard and the console",
        ]
      : []),
    "",
    ...metricsPorts(variables, services)
      .slice(-1)
      .map(
        (last) =>
          `  metrics      ports ${variables.METRICS_PORT} to ${last}: web processes and worker of each environment, then status`,
      ),
    `  data in ${path.resolve(variables.DATA_DIR)}; stop with Ctrl-C`,
    "",
  ];
  process.stdout.write(lines.join("\n"));
};

/** Stops the processes in the order of their dependencies: first the processes that accept work, PostgreSQL last. */
const stopAll = async (processes: readonly SupervisedProcess[]): Promise<void> => {
  const isPostgres = ({ name }: SupervisedProcess) => name === "postgres";
  const isSimulator = ({ name }: SupervisedProcess) => name.endsWith("simulator");
  const stop = (chosen: readonly SupervisedProcess[], patience: number) =>
    Promise.all(chosen.map((one) => one.stop(patience)));
  await stop(
    processes.filter((one) => !isPostgres(one) && !isSimulator(one)),
    stopMilliseconds,
  );
  await stop(processes.filter(isSimulator), stopMilliseconds);
  await stop(processes.filter(isPostgres), 2 * stopMilliseconds);
};

/**
 * Stops everything after Ctrl-C, SIGTERM, or the end of the process that started this one. A second signal, more than
 * two seconds later, ends this process immediately.
 */
const onShutdown = (processes: readonly SupervisedProcess[], release: () => Promise<void>): void => {
  let begun: number | undefined;
  const begin = () => {
    if (begun !== undefined) {
      if (performance.now() - begun < 2_000) return;
      process.exit(130);
    }
    begun = performance.now();
    process.stdout.write("stopping …\n");
    stopAll(processes)
      .then(release)
      .then(
        () => process.stdout.write("stopped\n", () => process.exit(0)),
        () => process.exit(1),
      );
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, begin);
  process.on("disconnect", begin);
};
