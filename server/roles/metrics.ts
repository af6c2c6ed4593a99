import type { Deps } from "../deps/deps.ts";
import { createProcessMetrics } from "../platform/metrics/process-metrics.ts";
import { serveMetrics } from "../platform/metrics/serve-metrics.ts";

/** GET /metrics of one process, if METRICS_PORT is set and not 0. */
export const startMetrics = async (
  { config, log }: Pick<Deps, "config" | "log">,
  collectors: Parameters<typeof serveMetrics>[0]["collectors"],
): Promise<{ close(): Promise<void> }> => {
  if (!config.metrics) return { close: async () => {} };
  return serveMetrics({ ...config.metrics, log, collectors: [createProcessMetrics(), ...collectors] });
};
