import type { Config } from "../deps/config.ts";
import type { Tracing } from "../platform/tracing/start-tracing.ts";

/** Loads the tracing libraries only if a collector is configured. */
export const startTracingIfConfigured = async (
  { traceEndpoint: endpoint, environment }: Pick<Config, "traceEndpoint" | "environment">,
  role: "web" | "worker" | "status",
): Promise<Tracing | null> => {
  if (endpoint === null) return null;
  const { startTracing } = await import("../platform/tracing/start-tracing.ts");
  return startTracing({ endpoint, environment, role });
};
