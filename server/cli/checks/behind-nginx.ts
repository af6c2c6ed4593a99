import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import type { EnvironmentName } from "../supervisor/environments.ts";
import { findFreePorts } from "./free-ports.ts";
import { startNginx } from "./nginx.ts";
import { servicesOf, startTestInstance, type TestInstance, testEnvironment } from "./test-instance.ts";

const main = path.resolve(import.meta.dirname, "../../main.ts");

/**
 * Starts a web node without the supervisor, as on another machine.
 * @throws Error if the node ends before it serves requests
 */
const startNode = async (environment: NodeJS.ProcessEnv): Promise<ChildProcess> => {
  const node = fork(main, ["--role", "web"], {
    env: environment,
    execArgv: ["--disable-warning=ExperimentalWarning"],
    stdio: ["ignore", "ignore", "inherit", "ipc"],
  });
  await new Promise<void>((resolve, reject) => {
    node.once("message", () => resolve());
    node.once("exit", (code) => reject(new Error(`a web node ended with ${code}`)));
  });
  return node;
};

const stopNode = (node: ChildProcess): Promise<void> =>
  new Promise((resolve) => {
    node.once("exit", () => resolve());
    node.kill("SIGTERM");
  });

export type InstanceBehindNginx = TestInstance & {
  /**
   * Stops production's second node as an upgrade does, and starts another. Resolves once the new node serves requests.
   */
  restartSecond(): Promise<void>;
};

/**
 * Starts the whole service as docs/runbooks/several-web-nodes.md describes it: for each environment, two web nodes with
 * their own ports and one worker. All use one PostgreSQL server and are behind nginx with the runbook's file.
 */
export const startBehindNginx = async (stopped?: AbortSignal): Promise<InstanceBehindNginx> => {
  const [production = 0, sandbox = 0, productionSecond = 0, sandboxSecond = 0] = await findFreePorts(4);
  const environment = await testEnvironment({
    BASE_URL: `http://localhost:${production}`,
    SANDBOX_URL: `http://localhost:${sandbox}`,
    TRUSTED_PROXIES: "127.0.0.0/8,::1/128",
    OUTBOUND_LOOPBACK: "1",
  });
  const portOf = (name: string): number => Number(environment[name]);
  // nginx starts first, because a starting service reads production's keys and health at production's public URL.
  const nginx = await startNginx(path.join(environment["DATA_DIR"] ?? "", "nginx"), [
    { name: "production", port: production, nodes: [portOf("PORT"), productionSecond], tls: null },
    { name: "sandbox", port: sandbox, nodes: [portOf("SANDBOX_PORT"), sandboxSecond], tls: null },
  ]);
  const nodes = new Map<EnvironmentName, ChildProcess>();
  const stopOthers = async () => {
    await nginx.stop();
    await Promise.all([...nodes.values()].map(stopNode));
  };
  try {
    const instance = await startTestInstance(environment, stopped);
    const services = await servicesOf(environment);
    const productionSettings = { ...services.production.variables, PORT: String(productionSecond) };
    const sandboxSettings = { ...services.sandbox.variables, SANDBOX_PORT: String(sandboxSecond) };
    nodes.set("production", await startNode(productionSettings));
    nodes.set("sandbox", await startNode(sandboxSettings));
    return {
      ...instance,
      async stop() {
        await stopOthers();
        return instance.stop();
      },
      async restartSecond() {
        const node = nodes.get("production");
        if (node) await stopNode(node);
        nodes.set("production", await startNode(productionSettings));
      },
    };
  } catch (error) {
    await stopOthers();
    throw error;
  }
};
