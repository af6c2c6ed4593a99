import { compose } from "../compose.ts";
import { provideDeps } from "../http/runtime.ts";
import { startWorker } from "../jobs/runner.ts";
import { readVariables, toConfig } from "../platform/config.ts";
import { announceReady, onShutdown } from "../platform/lifecycle.ts";
import { createLog } from "../platform/log.ts";
import { warnOfFewResolvers } from "../platform/outbound/needed-resolvers.ts";
import { sendConsoleToLog } from "./console-to-log.ts";
import { startMetrics } from "./metrics.ts";
import { poolMetrics, queueMetrics } from "./service-metrics.ts";
import { startTracingIfConfigured } from "./tracing.ts";

/** Jobs of one environment. */
export const runWorker = async (): Promise<void> => {
  const config = toConfig(readVariables(process.env));
  const log = createLog({ role: "worker", environment: config.environment }, config.logLevel);
  sendConsoleToLog(log);
  warnOfFewResolvers({ config, log });
  const deps = await compose(config, log, { role: "worker" });
  provideDeps(deps);
  const tracing = await startTracingIfConfigured(config, "worker");
  const worker = await startWorker(deps, tracing?.job);
  const metrics = await startMetrics(deps, [() => poolMetrics(deps), () => queueMetrics(deps)]);
  onShutdown(async () => {
    await worker.stop();
    await metrics.close();
    await deps.close();
    await tracing?.stop();
  }, log);
  announceReady();
};
