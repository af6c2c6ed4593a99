import type { Config } from "../config.ts";
import type { Tracing } from "../tracing/start-tracing.ts";

/** Its libraries are loaded where there is a collector, and nowhere else. */
export const startTracingWhereAsked = async (
  { traceEndpoint: endpoint, environment }: Pick<Config, "traceEndpoint" | "environment">,
  role: "web" | "worker" | "status",
): Promise<Tracing | null> => {
  if (endpoint === null) return null;
  const { startTracing } = await import("../tracing/start-tracing.ts");
  return startTracing({ endpoint, environment, role });
};
