import { createServer } from "node:http";
import type { Log } from "../../deps/deps.ts";
import { type Metric, metricsType, renderMetrics } from "./exposition.ts";

type Collector = () => readonly Metric[] | Promise<readonly Metric[]>;
type Options = { port: number; host: string; collectors: readonly Collector[]; log: Log };

export type MetricsServer = { port: number; close(): Promise<void> };

/**
 * GET /metrics for Prometheus on a separate port, never on the public port. If one part fails, such as the database's
 * metrics, the other parts are still returned.
 */
export const serveMetrics = async ({ port, host, collectors, log }: Options): Promise<MetricsServer> => {
  const collect = async (): Promise<string> => {
    const parts = await Promise.allSettled(collectors.map(async (collector) => collector()));
    for (const part of parts) if (part.status === "rejected") log.debug({ err: part.reason }, "metrics incomplete");
    return renderMetrics(parts.flatMap((part) => (part.status === "fulfilled" ? part.value : [])));
  };
  const server = createServer((request, response) => {
    const headers = { "cache-control": "no-store", "x-content-type-options": "nosniff" };
    if (request.url?.split("?", 1)[0] !== "/metrics") return void response.writeHead(404, headers).end();
    if (request.method !== "GET" && request.method !== "HEAD") {
      return void response.writeHead(405, { ...headers, allow: "GET, HEAD" }).end();
    }
    collect().then(
      (text) => response.writeHead(200, { ...headers, "content-type": metricsType }).end(text),
      () => response.destroy(),
    );
  });
  await new Promise<void>((resolve, reject) => {
    // Exclusive, because each process that shares the public port has its own metrics port.
    server.once("error", reject).listen({ port, host, exclusive: true }, resolve);
  });
  const address = server.address();
  return {
    port: address && typeof address === "object" ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
};
