import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
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
  /** of the supervisor */
  pid: number;
  /** what it was started with; the same again makes a second start on the same data */
  environment: NodeJS.ProcessEnv;
  dataDirectory: string;
  /** everything that it and its processes printed so far */
  output(): string;
  /** SIGTERM, and the exit code */
  stop(): Promise<number | null>;
  exited: Promise<number | null>;
  /** takes the data away */
  remove(): Promise<void>;
};

/** The environment of a service of one's own: free ports, a data directory, nothing of the caller's settings. */
export const testEnvironment = async (extra: Readonly<Record<string, string>> = {}): Promise<NodeJS.ProcessEnv> => {
  const ports = await findFreePorts(portNames.length);
  return {
    PATH: process.env["PATH"],
    HOME: process.env["HOME"],
    // Where `npm start` has it, so that it takes as long.
    NODE_COMPILE_CACHE: path.join(root, "node_modules/.cache/paygrant"),
    NODE_ENV: "production",
    DATA_DIR: await mkdtemp(path.join(os.tmpdir(), "paygrant-")),
    ...Object.fromEntries(portNames.map((name, index) => [name, String(ports[index])])),
    LOG_LEVEL: "info",
    // Announced, and not while anybody tests.
    SANDBOX_RESET: `${weekdays[(new Date().getUTCDay() + 3) % 7]} 03:00`,
    ...extra,
  };
};

/** Longer than a slow machine takes, even where the pages must be built. */
const startSeconds = 240;

/**
 * Starts the whole service as `npm start` does and waits for its ready line. It stops by itself when this process is
 * gone, however it went. @param stopped ends it before that line. @throws Error with its output.
 */
export const startTestInstance = async (
  environment: NodeJS.ProcessEnv,
  stopped?: AbortSignal,
): Promise<TestInstance> => {
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", path.join(root, "server/cli/start.ts")],
    {
      cwd: root,
      env: environment,
      stdio: ["ignore", "pipe", "pipe", "ipc"],
    },
  );
  let output = "";
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const giveUp = () => child.kill("SIGTERM");
  const timer = setTimeout(giveUp, startSeconds * 1000);
  stopped?.addEventListener("abort", giveUp);
  await new Promise<void>((resolve, reject) => {
    const take = (chunk: Buffer) => {
      output += chunk;
      if (/^ready http/m.test(output)) resolve();
    };
    child.stdout?.on("data", take);
    child.stderr?.on("data", take);
    child.once("error", reject);
    child.once("exit", (code) => reject(new Error(`start ended with ${code}:\n${output.slice(-8000)}`)));
  }).finally(() => {
    clearTimeout(timer);
    stopped?.removeEventListener("abort", giveUp);
  });
  const dataDirectory = environment["DATA_DIR"] ?? "";
  return {
    pid: child.pid ?? 0,
    environment,
    dataDirectory,
    output: () => output,
    async stop() {
      child.kill("SIGTERM");
      return exited;
    },
    exited,
    remove: () => rm(dataDirectory, { recursive: true, force: true }),
  };
};

/** What the supervisor hands to the processes of each service, once it was started. */
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

/** What the tests outside of this process are told of an instance. */
export const describeInstance = async ({
  environment,
  dataDirectory,
}: TestInstance): Promise<Record<string, string>> => {
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
