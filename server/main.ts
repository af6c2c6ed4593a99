import { parseArgs } from "node:util";
import { ConfigError } from "./config.ts";
import { configurationExitCode } from "./roles/exit-codes.ts";

// Each role loads what it needs and no more: the simulator knows no database, PostgreSQL's keeper no key.
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
} catch (error) {
  if (!(error instanceof ConfigError)) throw error;
  for (const problem of error.problems) process.stderr.write(`${problem}\n`);
  process.exit(configurationExitCode);
}
