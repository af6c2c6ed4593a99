import { runDueMaintenances } from "../../status/maintenance/run-due-maintenances.ts";
import type { Tick } from "../job.ts";

const batchSize = 10;

/** Starts and completes maintenance on time (docs/spec/status.md, Maintenance). */
export const runMaintenancesTick: Tick = {
  name: "run-maintenances",
  intervalMilliseconds: 5_000,
  async run(deps) {
    const done = await runDueMaintenances(deps, { limit: batchSize });
    return { done, hasMore: done === batchSize };
  },
};
