import { spawn } from "node:child_process";
import path from "node:path";
import { createInterface } from "node:readline";
import { readVariables } from "../platform/config.ts";
import { clearLeftover, findCluster, serverCommand, serverEnvironment } from "../platform/embedded/cluster.ts";
import { announceReady, drainMilliseconds } from "../platform/lifecycle.ts";
import { createLog } from "../platform/log.ts";
import { sendConsoleToLog } from "./console-to-log.ts";

/** Time for PostgreSQL's last checkpoint. */
const shutdownMilliseconds = 30_000;

/**
 * Runs PostgreSQL, which stops last: the supervisor sends SIGTERM when all other processes have ended. If the
 * supervisor is lost, a "smart" shutdown waits for connections first (PostgreSQL §18.5), then a "fast" one closes them.
 */
export const runPostgres = async (): Promise<void> => {
  const variables = readVariables(process.env);
  const log = createLog({ role: "postgres", environment: "both" }, variables.LOG_LEVEL);
  sendConsoleToLog(log);
  const cluster = await findCluster(path.join(path.resolve(variables.DATA_DIR), "postgres"));
  await clearLeftover(cluster);
  const [command, ...args] = serverCommand(cluster, variables.POSTGRES_PORT);
  const server = spawn(command, args, {
    ...cluster.runAs.options,
    cwd: "/",
    env: serverEnvironment(),
    stdio: ["ignore", "ignore", "pipe"],
  });
  createInterface({ input: server.stderr }).on("line", (line) => {
    // While PostgreSQL starts, it refuses connections with FATAL.
    const isFault =
      /\b(FATAL|PANIC):/.test(line) && !/the database system is (?:starting up|not yet accepting)/.test(line);
    const level = isFault ? "warn" : "debug";
    log[level]({}, line.replace(/^.*?\[\d+\] /, ""));
  });
  let isStopping = false;
  const end = (signal: "SIGTERM" | "SIGINT") => {
    isStopping = true;
    server.kill(signal);
    setTimeout(() => server.kill("SIGQUIT"), shutdownMilliseconds).unref();
  };
  process.on("SIGTERM", () => end("SIGINT"));
  process.on("SIGINT", () => {});
  process.on("disconnect", () => {
    end("SIGTERM");
    setTimeout(() => end("SIGINT"), drainMilliseconds).unref();
  });
  server.once("error", (error) => {
    log.error({ err: error }, "PostgreSQL could not be started");
    process.exit(1);
  });
  server.once("exit", (code) => process.exit(isStopping ? 0 : (code ?? 1)));
  announceReady();
};
