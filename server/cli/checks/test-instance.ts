import { type ChildProcess, execFile, spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { promisify } from "node:util";
import { readVariables } from "../../platform/config.ts";
import { weekdays } from "../../platform/reset-schedule.ts";
import { productionService, type Service, sandboxService } from "../supervisor/environments.ts";
import { readOrCreateSecrets } from "../supervisor/secrets.ts";
import { findFreePorts } from "./free-ports.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const portNames = [
  "PORT",
  "SANDBOX_PORT",
  "STATUS_PORT",
  "SIMULATOR_PORT",
  "SANDBOX_SIMULATOR_PORT",
  "POSTGRES_PORT",
] as const;

export type TestInstance = {
  /** process id of the supervisor */
  pid: number;
  /** If the service is started again with the same environment, it uses the same data. */
  environment: NodeJS.ProcessEnv;
  dataDirectory: string;
  /** everything that the supervisor and its processes have printed so far */
  output(): string;
  /** Sends SIGTERM. @returns the exit code */
  stop(): Promise<number | null>;
  exited: Promise<number | null>;
  /** Deletes the data directory. */
  remove(): Promise<void>;
};

/**
 * Settings of a service that tests share. With two web processes, tests detect an action that both processes perform
 * instead of one.
 */
export const sharedServiceSettings = { WEB_CONCURRENCY: "2", OUTBOUND_LOOPBACK: "1" } as const;

/** Names the directory that `prepareData` made, for this process and its children. */
const preparedData = "TEST_PREPARED_DATA";
/** With these settings, a service doesn't begin with the data that `prepareData` makes. */
const settingsOfOtherData = ["SEED_DEMO", "FIXED_DATE"];

/** The environment of a separate service: free ports, a data directory, and none of the caller's settings. */
export const testEnvironment = async (extra: Readonly<Record<string, string>> = {}): Promise<NodeJS.ProcessEnv> => {
  const ports = await findFreePorts(portNames.length);
  const DATA_DIR = await mkdtemp(path.join(os.tmpdir(), "paygrant-"));
  const prepared = process.env[preparedData];
  // PostgreSQL's files belong to another user than this process if this process runs as root.
  if (prepared && !settingsOfOtherData.some((name) => name in extra))
    await promisify(execFile)("cp", ["-a", `${prepared}/.`, DATA_DIR]);
  return {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    // The cache of `npm start` is reused, so that a start doesn't take longer.
    NODE_COMPILE_CACHE: path.join(root, "node_modules/.cache/paygrant"),
    NODE_ENV: "production",
    DATA_DIR,
    ...Object.fromEntries(portNames.map((name, index) => [name, String(ports[index])])),
    LOG_LEVEL: "info",
    // Pages announce the reset. It must not happen during a test.
    SANDBOX_RESET: `${weekdays[(new Date().getUTCDay() + 3) % 7]} 03:00`,
    ...extra,
  };
};

/** Enough for a slow machine that also builds the pages. */
const startSeconds = 600;

const spawnService = (environment: NodeJS.ProcessEnv): ChildProcess =>
  spawn(process.execPath, ["--disable-warning=ExperimentalWarning", path.join(root, "server/cli/start.ts")], {
    cwd: root,
    env: environment,
    // The service stops when the channel closes. The channel closes when this process ends.
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });

const readyLine = /^ready http/m;
const seededLine = /^✓ demo data/m;

type Output = { text: string };

const collectOutput = (child: ChildProcess): Output => {
  const output = { text: "" };
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      output.text += chunk;
    });
  return output;
};

/** Waits for a line of the service's output. @throws Error with the output if the service ends earlier. */
const awaitLine = async (
  child: ChildProcess,
  { line, output, stopped }: { line: RegExp; output: Output; stopped: AbortSignal | undefined },
): Promise<void> => {
  const giveUp = () => child.kill("SIGTERM");
  const timer = setTimeout(giveUp, startSeconds * 1000);
  stopped?.addEventListener("abort", giveUp);
  await new Promise<void>((resolve, reject) => {
    const look = () => {
      if (line.test(output.text)) resolve();
    };
    child.stdout?.on("data", look);
    child.stderr?.on("data", look);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`start ended with ${code}:\n${output.text.slice(-8000)}`)));
  }).finally(() => {
    clearTimeout(timer);
    stopped?.removeEventListener("abort", giveUp);
  });
};

/**
 * Makes the data of a new installation: empty databases with all migrations and demo data. Services that start later
 * in this run begin with a copy, which saves half of their start. @param stopped aborts the start
 */
export const prepareData = async (stopped?: AbortSignal): Promise<void> => {
  const environment = await testEnvironment({ WEB_CONCURRENCY: "1" });
  const child = spawnService(environment);
  const exited = new Promise((resolve) => child.once("exit", resolve));
  await awaitLine(child, { line: seededLine, output: collectOutput(child), stopped });
  child.kill("SIGTERM");
  await exited;
  process.env[preparedData] = environment["DATA_DIR"];
};

/**
 * Starts the whole service as `npm start` does and waits until it is ready. The service stops when this process ends
 * for any reason.
 * @param stopped aborts the start
 * @throws Error with the service's output
 */
export const startTestInstance = async (
  environment: NodeJS.ProcessEnv,
  stopped?: AbortSignal,
): Promise<TestInstance> => {
  const child = spawnService(environment);
  const output = collectOutput(child);
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  await awaitLine(child, { line: readyLine, output, stopped });
  const dataDirectory = environment["DATA_DIR"] ?? "";
  return {
    pid: child.pid ?? 0,
    environment,
    dataDirectory,
    output: () => output.text,
    async stop() {
      child.kill("SIGTERM");
      return exited;
    },
    exited,
    remove: () => rm(dataDirectory, { recursive: true, force: true }),
  };
};

/** The settings that the supervisor gives to the processes of each environment. The service must be running. */
export const servicesOf = async (
  environment: NodeJS.ProcessEnv,
): Promise<{ production: Service; sandbox: Service }> => {
  const secrets = await readOrCreateSecrets(environment["DATA_DIR"] ?? "");
  const input = { outer: environment, variables: readVariables(environment), secrets };
  const production = productionService(input);
  const sandbox = sandboxService(input, production);
  if (!sandbox) throw new Error("the service has no sandbox");
  return { production, sandbox };
};

/** The variables that tests in other processes read to find an instance. */
export const describeInstance = async ({
  environment,
  dataDirectory,
}: Pick<TestInstance, "environment" | "dataDirectory">): Promise<Record<string, string>> => {
  const secrets = JSON.parse(await readFile(path.join(dataDirectory, "secrets.json"), "utf8"));
  return {
    E2E_PRODUCTION_URL: environment["BASE_URL"] ?? `http://localhost:${environment["PORT"]}`,
    E2E_SANDBOX_URL: environment["SANDBOX_URL"] ?? `http://localhost:${environment["SANDBOX_PORT"]}`,
    E2E_STATUS_URL: `http://localhost:${environment["STATUS_PORT"]}`,
    E2E_DATA_DIR: dataDirectory,
    E2E_SIMULATOR_URL: `http://127.0.0.1:${environment["SIMULATOR_PORT"]}`,
    E2E_SANDBOX_SIMULATOR_URL: `http://127.0.0.1:${environment["SANDBOX_SIMULATOR_PORT"]}`,
    TEST_DATABASE_URL: `postgresql://postgres:${secrets.postgresPassword}@127.0.0.1:${environment["POSTGRES_PORT"]}/postgres`,
  };
};
