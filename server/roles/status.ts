import path from "node:path";
import { ConfigError, readVariables } from "../config.ts";
import { createGateway, type NodeHandler } from "../http/gateway.ts";
import { discoverRoutes } from "../http/routes.ts";
import { systemClock } from "../kernel/clock.ts";
import { newId } from "../kernel/ids.ts";
import { createLog } from "../log.ts";
import { provideStatusDeps } from "../status/runtime.ts";
import { announceReady, drainMilliseconds, stopWhenTold } from "./lifecycle.ts";
import { listen } from "./listen.ts";

const appDirectory = path.resolve(import.meta.dirname, "../../app");

/** The status process: answers while production and sandbox are down, so it shares nothing with them. */
export const runStatus = async (): Promise<void> => {
  const variables = readVariables(process.env);
  const log = createLog({ role: "status", environment: "both" }, variables.LOG_LEVEL);
  if (!variables.BASE_URL) throw new ConfigError(["BASE_URL: missing (`npm start` sets it)"]);
  provideStatusDeps({
    clock: systemClock,
    productionUrl: variables.BASE_URL,
    sandboxUrl: variables.SANDBOX_URL ?? `http://localhost:${variables.SANDBOX_PORT}`,
  });
  const statusUrl = variables.STATUS_URL ?? `http://localhost:${variables.STATUS_PORT}`;
  const routes = await discoverRoutes(path.join(appDirectory, "status"), "/status");
  const gateway = createGateway({
    config: { baseUrl: statusUrl, trustedProxies: variables.TRUSTED_PROXIES },
    log,
    routes,
    pages: null,
    statusUrl: null,
  });
  const server = await listen(withHealth(gateway), {
    port: variables.STATUS_PORT,
    host: variables.LISTEN_HOST ?? null,
    baseUrl: variables.BASE_URL,
    log,
  });
  stopWhenTold(() => server.close(drainMilliseconds), log);
  announceReady();
};

/** It needs nothing but itself, so it is ready when it lives. Until its pages are built, its root shows the summary. */
const withHealth =
  (gateway: NodeHandler): NodeHandler =>
  async (incoming, outgoing) => {
    const pathname = incoming.url?.split("?", 1)[0];
    if (incoming.method === "GET" && (pathname === "/healthz" || pathname === "/readyz")) {
      const status = pathname === "/healthz" ? "alive" : "ready";
      outgoing
        .writeHead(200, {
          "content-type": "application/json",
          "cache-control": "no-store",
          "x-request-id": newId("req"),
        })
        .end(JSON.stringify({ status }));
      return;
    }
    if (incoming.method === "GET" && (pathname === "/" || pathname === "/status")) {
      outgoing
        .writeHead(307, { location: "/status/v1/summary", "cache-control": "no-store", "x-request-id": newId("req") })
        .end();
      return;
    }
    return gateway(incoming, outgoing);
  };
