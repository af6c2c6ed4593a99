import path from "node:path";
import next from "next";
import { compose } from "../compose.ts";
import { readVariables, toConfig } from "../config.ts";
import { createGateway } from "../http/gateway.ts";
import { startRateLimiter } from "../http/limits/start-rate-limiter.ts";
import { discoverRoutes } from "../http/routes.ts";
import { provideDeps, provideRateLimiter } from "../http/runtime.ts";
import { createLog } from "../log.ts";
import { announceReady, drainMilliseconds, stopWhenTold } from "./lifecycle.ts";
import { listen } from "./listen.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** Pages and endpoints of one environment. */
export const runWeb = async (): Promise<void> => {
  const config = toConfig(readVariables(process.env));
  const log = createLog({ role: "web", environment: config.environment }, config.logLevel);
  const deps = await compose(config, log);
  const rateLimiter = startRateLimiter(deps);
  provideDeps(deps);
  provideRateLimiter(rateLimiter);
  const pages = next({ dev: false, dir: root, hostname: "localhost", port: config.port });
  const [routes] = await Promise.all([discoverRoutes(path.join(root, "app")), pages.prepare()]);
  const gateway = createGateway({ config, log, routes, pages: pages.getRequestHandler(), statusUrl: config.statusUrl });
  const server = await listen(gateway, {
    port: config.port,
    host: config.listenHost ?? (config.isLoopback ? null : "::"),
    baseUrl: config.baseUrl,
    log,
  });
  stopWhenTold(async () => {
    await server.close(drainMilliseconds);
    await pages.close();
    await rateLimiter.stop();
    await deps.close();
  }, log);
  announceReady();
};
