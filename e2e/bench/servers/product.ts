import { spawn } from "node:child_process";
import { open, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { servicesOf, testEnvironment } from "#server/cli/checks/test-instance.ts";

const root = path.resolve(import.meta.dirname, "../../..");
/** A first start may have to build the pages. */
const startSeconds = 300;

/** The whole service as `npm start` runs it, with its own ports and data. */
export type Product = {
  /** the supervisor's process id */
  pid: number;
  /** the port of the sandbox, where registration is open */
  port: number;
  issuer: string;
  databaseUrl: string;
  dataDirectory: string;
  /** the environment of another web process of the sandbox, on `port` */
  webEnvironment(port: number): NodeJS.ProcessEnv;
  /** the end of its log of warnings and errors */
  complaints(): Promise<string[]>;
  stop(): Promise<void>;
};

const maxComplaints = 5;

/**
 * Starts the service. Its log goes to a file, as in a real service. With a pipe, this process would have to read a line
 * per request.
 * @param webProcesses the number of web processes of each environment, which share one port.
 */
export const startProduct = async (
  webProcesses: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<Product> => {
  const environment = await testEnvironment({ SEED_DEMO: "0", WEB_CONCURRENCY: String(webProcesses), ...settings });
  const dataDirectory = environment["DATA_DIR"] ?? "";
  const logFile = path.join(dataDirectory, "bench.log");
  const log = await open(logFile, "a");
  const child = spawn(
    process.execPath,
    ["--disable-warning=ExperimentalWarning", path.join(root, "server/cli/start.ts")],
    // The channel ends the service when the bench ends, even if the bench is killed.
    { cwd: root, env: environment, stdio: ["ignore", log.fd, log.fd, "ipc"] },
  );
  await log.close();
  const exited = new Promise<number | null>((resolve) => child.once("exit", resolve));
  const stop = async () => {
    child.kill("SIGTERM");
    await exited;
    await rm(dataDirectory, { recursive: true, force: true });
  };
  const hasEnded = exited.then(() => true);
  for (const deadline = Date.now() + startSeconds * 1000; ; ) {
    const output = await readFile(logFile, "utf8");
    if (/^ready http/m.test(output)) break;
    if ((await Promise.race([hasEnded, sleep(200, false)])) || Date.now() > deadline) {
      await stop();
      throw new Error(`the service did not start:\n${output.slice(-4000)}`);
    }
  }
  const { sandbox } = await servicesOf(environment);
  return {
    pid: child.pid ?? 0,
    port: sandbox.config.port,
    issuer: sandbox.config.baseUrl,
    databaseUrl: sandbox.config.databaseUrl,
    dataDirectory,
    webEnvironment: (port) => ({ ...sandbox.variables, SANDBOX_PORT: String(port) }),
    async complaints() {
      const lines = (await readFile(logFile, "utf8")).split("\n");
      return lines.filter((line) => /"level":"(warn|error)"/.test(line)).slice(-maxComplaints);
    },
    stop,
  };
};
