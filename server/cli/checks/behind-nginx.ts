import { type ChildProcess, fork } from "node:child_process";
import path from "node:path";
import type { EnvironmentName } from "../supervisor/environments.ts";
import { findFreePorts } from "./free-ports.ts";
import { startNginx } from "./nginx.ts";
import { servicesOf, startTestInstance, type TestInstance, testEnvironment } from "./test-instance.ts";

const main = path.resolve(import.meta.dirname, "../../main.ts");

/** A web node beside the supervisor's, as on another machine. @throws Error where it ends before it serves. */
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
  /** Ends production's second node as an upgrade does, and resolves once another serves in its place. */
  restartSecond(): Promise<void>;
};

/**
 * The whole service as docs/runbooks/several-web-nodes.md has it: of each environment two web nodes with ports of their own
 * and one worker, on one PostgreSQL, behind nginx with the runbook's file.
 */
export const startBehindNginx = async (stopped?: AbortSignal): Promise<InstanceBehindNginx> => {
  const [production = 0, sandbox = 0, secondOfProduction = 0, secondOfSandbox = 0] = await findFreePorts(4);
  const environment = await testEnvironment({
    BASE_URL: `http://localhost:${production}`,
    SANDBOX_URL: `http://localhost:${sandbox}`,
    TRUSTED_PROXIES: "127.0.0.0/8,::1/128",
    OUTBOUND_LOOPBACK: "1",
  });
  const firstOf = (name: string): number => Number(environment[name]);
  // First: whoever starts asks for production's keys and health where callers find them.
  const nginx = await startNginx(path.join(environment["DATA_DIR"] ?? "", "nginx"), [
    { name: "production", port: production, nodes: [firstOf("PORT"), secondOfProduction], tls: null },
    { name: "sandbox", port: sandbox, nodes: [firstOf("SANDBOX_PORT"), secondOfSandbox], tls: null },
  ]);
  const nodes = new Map<EnvironmentName, ChildProcess>();
  const stopOthers = async () => {
    await nginx.stop();
    await Promise.all([...nodes.values()].map(stopNode));
  };
  try {
    const instance = await startTestInstance(environment, stopped);
    const services = await servicesOf(environment);
    const ofProduction = { ...services.production.variables, PORT: String(secondOfProduction) };
    const ofSandbox = { ...services.sandbox.variables, SANDBOX_PORT: String(secondOfSandbox) };
    nodes.set("production", await startNode(ofProduction));
    nodes.set("sandbox", await startNode(ofSandbox));
    return {
      ...instance,
      async stop() {
        await stopOthers();
        return instance.stop();
      },
      async restartSecond() {
        const node = nodes.get("production");
        if (node) await stopNode(node);
        nodes.set("production", await startNode(ofProduction));
      },
    };
  } catch (error) {
    await stopOthers();
    throw error;
  }
};
