import { chmod, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { provisionDatabases } from "../../data/schema/provision.ts";
import type { Log } from "../../deps/deps.ts";
import { readVariables } from "../../platform/config.ts";
import { createLog } from "../../platform/log.ts";
import { findFreePorts } from "../checks/free-ports.ts";
import { type Nginx, startNginx } from "../checks/nginx.ts";
import { testEnvironment } from "../checks/test-instance.ts";
import { buildPages, generateClient } from "../supervisor/build.ts";
import {
  productionService,
  type Service,
  sandboxService,
  simulatorEnvironment,
  statusEnvironment,
} from "../supervisor/environments.ts";
import { acquireInstanceLock } from "../supervisor/instance-lock.ts";
import { launchRole, type Role, runCommand } from "../supervisor/launch.ts";
import { readOrCreateSecrets, type Secrets } from "../supervisor/secrets.ts";
import { StartError, step } from "../supervisor/steps.ts";
import { type SupervisedProcess, supervise } from "../supervisor/supervised.ts";
import { type DatabaseCluster, planCluster, portsOfCluster, startDatabaseCluster } from "./database-cluster.ts";
import { findPrograms } from "./programs.ts";

/** Web processes and workers of each environment. */
const perEnvironment = 2;
const readySeconds = 120;
const stopMilliseconds = 25_000;

/** A running installation as docs/runbooks/ha describes it, on this machine. */
export type HaInstallation = {
  /** folder of all files; it is deleted when the installation stops */
  directory: string;
  environment: NodeJS.ProcessEnv;
  /** folder of the service's own data */
  dataDirectory: string;
  database: DatabaseCluster;
  /** URLs of the web processes to which nginx passes requests */
  webUrls: Readonly<Record<Service["name"], readonly string[]>>;
  stop(): Promise<void>;
};

type Stopping = (() => Promise<unknown>)[];

/** Calls the functions in reverse order, each once. */
const stopAll = async (stopping: Stopping): Promise<void> => {
  for (let stop = stopping.pop(); stop; stop = stopping.pop()) await stop();
};

/** Settings of production and sandbox on one cluster: the databases, and the secrets that an operator would create. */
const settingsOf = (
  environment: NodeJS.ProcessEnv,
  secrets: Secrets,
  { primary, standbys }: DatabaseCluster["ports"],
): NodeJS.ProcessEnv => {
  const urlOf = (name: Service["name"], port: number) =>
    `postgresql://paygrant_${name}:${secrets[name].databasePassword}@127.0.0.1:${port}/paygrant_${name}`;
  return {
    ...environment,
    DATABASE_URL: urlOf("production", primary),
    DATABASE_REPLICA_URL: urlOf("production", standbys),
    MASTER_KEY: secrets.production.masterKey,
    SANDBOX_DATABASE_URL: urlOf("sandbox", primary),
    SANDBOX_DATABASE_REPLICA_URL: urlOf("sandbox", standbys),
    SANDBOX_MASTER_KEY: secrets.sandbox.masterKey,
    POSTGRES_PORT: String(primary),
  };
};

const provision = async (database: DatabaseCluster, secrets: Secrets): Promise<void> => {
  const names = ["production", "sandbox"] as const;
  await provisionDatabases(
    `postgresql://postgres:${secrets.postgresPassword}@127.0.0.1:${database.ports.primary}/postgres`,
    names.map((name) => ({
      database: `paygrant_${name}`,
      role: `paygrant_${name}`,
      password: secrets[name].databasePassword,
    })),
    60,
  );
};

const untilServed = async (url: string): Promise<void> => {
  for (const deadline = performance.now() + readySeconds * 1000; performance.now() < deadline; await sleep(200)) {
    const answer = await fetch(url).catch(() => null);
    if (answer?.ok) return;
  }
  throw new StartError(`${url} is not ready within ${readySeconds} s; the log above shows why`);
};

type Launching = { processes: SupervisedProcess[]; log: Log };

const launch = ({ processes, log }: Launching, role: Role, environment: Service["variables"]): void => {
  const name = `${environment["PAYGRANT_ENVIRONMENT"] ?? "production"} ${role} ${processes.length + 1}`;
  processes.push(supervise(name, () => launchRole(role, environment), log));
};

type Input = Parameters<typeof productionService>[0];

/** Migrates both databases, starts the simulators, writes demo data, and starts all other processes. */
const startPaygrant = async (
  input: Input,
  services: { production: Service; sandbox: Service },
  { launching, webPorts }: { launching: Launching; webPorts: Readonly<Record<Service["name"], readonly number[]>> },
): Promise<void> => {
  const both = [services.production, services.sandbox];
  const onBoth = (command: string) => Promise.all(both.map((service) => runCommand(command, [], service.variables)));
  await step("migrations", () => onBoth("migrate"));
  // The demo data's charges are made at the processor.
  for (const { name } of both) launch(launching, "simulator", simulatorEnvironment(input, name));
  await Promise.all(launching.processes.map((process) => process.ready));
  await step("demo data", () => onBoth("seed"));
  await step("processes", async () => {
    for (const { name, variables } of both) {
      const portName = name === "production" ? "PORT" : "SANDBOX_PORT";
      for (const port of webPorts[name]) launch(launching, "web", { ...variables, [portName]: String(port) });
      for (let count = 0; count < perEnvironment; count++) launch(launching, "worker", variables);
      // On a small machine, the processes would reach their time limits if all of them started at once.
      await Promise.all(launching.processes.map((process) => process.ready));
    }
    launch(launching, "status", statusEnvironment(input, services.production, services.sandbox));
    await Promise.all(launching.processes.map((process) => process.ready));
    const ports = [...webPorts.production, ...webPorts.sandbox, input.variables.STATUS_PORT];
    await Promise.all(ports.map((port) => untilServed(`http://127.0.0.1:${port}/readyz`)));
  });
};

/**
 * Starts the installation of docs/runbooks/ha on loopback, with new data. Its configuration files are those of the
 * runbook with other addresses and paths.
 * @param settings environment variables
 * @throws StartError
 */
export const startHa = async (
  settings: Readonly<Record<string, string>> = {},
  { hasDisks = false }: { hasDisks?: boolean } = {},
): Promise<HaInstallation> => {
  const programs = await findPrograms();
  await step("generate", generateClient);
  await step("build", buildPages);
  const directory = await mkdtemp(path.join(os.tmpdir(), "paygrant-ha-"));
  // PostgreSQL's user must be able to enter this folder. The folders in it are private.
  await chmod(directory, 0o711);
  const stopping: Stopping = [() => rm(directory, { recursive: true, force: true, maxRetries: 3 })];
  const stop = () => stopAll(stopping);
  try {
    return { ...(await startIn(directory, { settings, hasDisks, programs, stopping })), stop };
  } catch (error) {
    await stop();
    throw error;
  }
};

type Parts = {
  settings: Readonly<Record<string, string>>;
  hasDisks: boolean;
  programs: Awaited<ReturnType<typeof findPrograms>>;
  stopping: Stopping;
};

const startIn = async (
  directory: string,
  { settings, hasDisks, programs, stopping }: Parts,
): Promise<Omit<HaInstallation, "stop">> => {
  const [production = 0, sandbox = 0, ...ports] = await findFreePorts(2 + 2 * perEnvironment + portsOfCluster);
  const webPorts = { production: ports.splice(0, perEnvironment), sandbox: ports.splice(0, perEnvironment) };
  const given = await testEnvironment({
    BASE_URL: `http://localhost:${production}`,
    SANDBOX_URL: `http://localhost:${sandbox}`,
    TRUSTED_PROXIES: "127.0.0.0/8,::1/128",
    SEED_DEMO: "1",
    LOG_LEVEL: "warn",
    ...settings,
  });
  const dataDirectory = given["DATA_DIR"] ?? "";
  stopping.push(() => rm(dataDirectory, { recursive: true, force: true, maxRetries: 3 }));
  const secrets = await readOrCreateSecrets(dataDirectory);
  const plan = planCluster(directory, programs, { ports, superuserPassword: secrets.postgresPassword });
  const environment = settingsOf(given, secrets, plan.ports);
  const variables = readVariables(environment);
  const log = createLog({ role: "supervisor", environment: "both" }, variables.LOG_LEVEL);
  const lock = await acquireInstanceLock(dataDirectory);
  stopping.push(lock.release);

  const database = await startDatabaseCluster(directory, { plan, programs, log, hasDisks });
  stopping.push(database.stop);
  await step("databases", () => provision(database, secrets));
  const nginx: Nginx = await step("nginx", () =>
    startNginx(path.join(directory, "nginx"), [
      { name: "production", port: production, nodes: webPorts.production, tls: null },
      { name: "sandbox", port: sandbox, nodes: webPorts.sandbox, tls: null },
    ]),
  );
  stopping.push(nginx.stop);

  const input = { outer: environment, variables, secrets };
  const productionSettings = productionService(input);
  const sandboxSettings = sandboxService(input, productionSettings);
  if (!sandboxSettings) throw new StartError("the sandbox has no database");
  const launching: Launching = { processes: [], log };
  stopping.push(() => Promise.all(launching.processes.map((process) => process.stop(stopMilliseconds))));
  const services = { production: productionSettings, sandbox: sandboxSettings };
  await startPaygrant(input, services, { launching, webPorts });
  await untilServed(`http://localhost:${production}/readyz`);
  await untilServed(`http://localhost:${sandbox}/readyz`);
  const urlsOf = (numbers: readonly number[]) => numbers.map((port) => `http://127.0.0.1:${port}`);
  return {
    directory,
    environment,
    dataDirectory,
    database,
    webUrls: { production: urlsOf(webPorts.production), sandbox: urlsOf(webPorts.sandbox) },
  };
};
