import path from "node:path";
import { compose } from "../compose.ts";
import { endpoints } from "../endpoints/index.ts";
import { findBuiltFiles, withBrotli } from "../http/compression/with-brotli.ts";
import { withCdnHost } from "../http/gateway/cdn-host.ts";
import { withDirectoryHost } from "../http/gateway/directory-host.ts";
import { createGateway } from "../http/gateway/gateway.ts";
import { assetPrefixOf, setAssetPrefix } from "../http/gateway/page-assets.ts";
import { discoverRoutes } from "../http/gateway/routes.ts";
import { withWalletHost } from "../http/gateway/wallet-host.ts";
import { admitAddress, assertKnownLimits, pageLimit, startMeter } from "../http/limits/rate-limit.ts";
import { startRateLimiter } from "../http/limits/start-rate-limiter.ts";
import { withNotFoundPages } from "../http/pages/not-found-pages.ts";
import { sharePages } from "../http/pages/shared-pages.ts";
import { withUnavailablePages } from "../http/pages/unavailable-pages.ts";
import { provideApiLog, provideDeps, provideRateLimiter } from "../http/runtime.ts";
import { pagesLimit } from "../http/serve-trpc.ts";
import { ApiLog } from "../platform/api-log/api-log.ts";
import { readVariables, toConfig } from "../platform/config.ts";
import { announceReady, drainMilliseconds, onShutdown } from "../platform/lifecycle.ts";
import { createLog } from "../platform/log.ts";
import { requestMetrics } from "../platform/metrics/exposition.ts";
import { startRecording } from "../platform/metrics/record-latency.ts";
import { countingLog, createRequestMetrics } from "../platform/metrics/request-metrics.ts";
import { displayedClockDay } from "../sandbox/displayed-clock.ts";
import { sendConsoleToLog } from "./console-to-log.ts";
import { listen } from "./listen.ts";
import { startMetrics } from "./metrics.ts";
import { withNextHeaders } from "./next-headers.ts";
import { apiLogMetrics, cacheMetrics, poolMetrics } from "./service-metrics.ts";
import { startTracingIfConfigured } from "./tracing.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** Loads Next after our own modules have read the global objects, because Next replaces some of them. */
const loadPages = async (port: number, assetPrefix: string) => {
  setAssetPrefix(assetPrefix);
  const { default: next } = await import("next");
  return next({ dev: false, dir: root, hostname: "localhost", port });
};

/** Pages and endpoints of one environment. */
export const runWeb = async (): Promise<void> => {
  const config = toConfig(readVariables(process.env));
  assertKnownLimits(config.rateLimits, [...endpoints, pagesLimit, pageLimit]);
  const requests = createRequestMetrics();
  const tracing = await startTracingIfConfigured(config, "web");
  const counting = countingLog(createLog({ role: "web", environment: config.environment }, config.logLevel), requests);
  const log = tracing?.log(counting) ?? counting;
  sendConsoleToLog(log);
  const deps = await compose(config, log, { role: "web", poolSize: config.databasePoolSize });
  const rateLimiter = startRateLimiter(deps);
  provideDeps(deps);
  provideRateLimiter(rateLimiter);
  const apiLog = new ApiLog(deps);
  apiLog.start();
  provideApiLog(apiLog);
  const assetPrefix = assetPrefixOf(config);
  const pages = await loadPages(config.port, assetPrefix);
  const [routes] = await Promise.all([discoverRoutes(path.join(root, "app")), pages.prepare()]);
  const all = createGateway({
    config,
    log,
    routes,
    statusUrl: config.statusUrl,
    assetPrefix,
    pages: withBrotli(
      sharePages(withNotFoundPages(withUnavailablePages(withNextHeaders(pages.getRequestHandler()))), {
        ownHost: new URL(config.baseUrl).host,
        variant: () => displayedClockDay(deps),
      }),
      await findBuiltFiles(root),
    ),
    admitPage: (info) => admitAddress(startMeter(deps, pageLimit, info)),
  });
  const gateway = withCdnHost(withDirectoryHost(withWalletHost(all, config, log), config), config);
  const server = await listen(tracing?.handler(gateway) ?? gateway, {
    port: config.port,
    host: config.listenHost ?? (config.isLoopback ? null : "::"),
    baseUrl: config.baseUrl,
    log,
    connections: config.connections,
  });
  const latency = startRecording(deps, requests);
  const metrics = await startMetrics(deps, [
    () => requestMetrics(requests.total()),
    () => poolMetrics(deps),
    () => cacheMetrics(deps),
    () => apiLogMetrics(apiLog.figures()),
  ]);
  onShutdown(async () => {
    await server.close(drainMilliseconds);
    await pages.close();
    await latency.stop();
    await metrics.close();
    await rateLimiter.stop();
    await apiLog.stop();
    await deps.close();
    await tracing?.stop();
  }, log);
  announceReady();
};
