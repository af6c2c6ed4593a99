import { enableCompileCache, flushCompileCache } from "node:module";
import path from "node:path";
import { inspect, parseArgs } from "node:util";
import { ConfigError } from "./platform/settings/config-error.ts";
import { configurationExitCode } from "./roles/exit-codes.ts";

// Files that this process writes are readable only by its own user.
process.umask(0o077);

// Compiled code is cached next to the installed code if that directory is writable, so the next process starts in half
// the time.
enableCompileCache(path.resolve(import.meta.dirname, "../node_modules/.cache/paygrant"));

// Each role loads only what it needs: the simulator uses no database, and the role `postgres` uses no keys.
const roles: Readonly<Record<string, () => Promise<void>>> = {
  web: async () => (await import("./roles/web.ts")).runWeb(),
  worker: async () => (await import("./roles/worker.ts")).runWorker(),
  status: async () => (await import("./roles/status.ts")).runStatus(),
  simulator: async () => (await import("./roles/simulator.ts")).runSimulator(),
  postgres: async () => (await import("./roles/postgres.ts")).runPostgres(),
};

const { values } = parseArgs({ options: { role: { type: "string" } } });
const run = roles[values.role ?? ""];

try {
  if (!run) throw new ConfigError([`--role: one of ${Object.keys(roles).join(", ")}`]);
  await run();
  flushCompileCache();
} catch (error) {
  const problems = error instanceof ConfigError ? error.problems : [inspect(error)];
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  // An error that is thrown here wouldn't end the process, because Next handles unhandled rejections.
  process.exit(error instanceof ConfigError ? configurationExitCode : 1);
}
