import path from "node:path";
import type { NodeHandler } from "../contract/node-handler.ts";
import { connectDatabase, type Db } from "../data/client.ts";
import { patienceOf } from "../data/patience.ts";
import { createGateway } from "../http/gateway/gateway.ts";
import { discoverRoutes } from "../http/gateway/routes.ts";
import { machineHeaders } from "../http/security-headers.ts";
import { createSealer } from "../kernel/crypto/seal.ts";
import { newId } from "../kernel/ids.ts";
import { systemClock } from "../kernel/time/clock.ts";
import { isLoopbackUrl, readVariables, toConfig } from "../platform/config.ts";
import { announceReady, drainMilliseconds, stopWhenTold } from "../platform/lifecycle.ts";
import { createAddressLimit } from "../platform/limits/address-limit.ts";
import { createLog } from "../platform/log.ts";
import { createSmtpSender } from "../platform/mail/smtp.ts";
import { isGloballyReachable } from "../platform/outbound/global-address.ts";
import { createOutbound } from "../platform/outbound/outbound.ts";
import { untraced } from "../platform/tracing/trace-job.ts";
import { createPager } from "../status/alerts/page-operators.ts";
import { openJournal } from "../status/board/journal.ts";
import { createBoardReader } from "../status/board/load-board.ts";
import { openBoard } from "../status/board/open-board.ts";
import { replayJournal } from "../status/board/replay-journal.ts";
import { restoreMissingRecords } from "../status/board/restore-missing-records.ts";
import { openSealedFile } from "../status/board/sealed-file.ts";
import { openSnapshot } from "../status/board/snapshot.ts";
import { deployedOrAll, summarizeComponents } from "../status/overview/summarize-components.ts";
import { createJourneyCheck } from "../status/probes/check-journey.ts";
import { openProbeIdentity } from "../status/probes/probe-identity.ts";
import { runChecks } from "../status/probes/run-checks.ts";
import { startProbes } from "../status/probes/start-probes.ts";
import type { ServiceName } from "../status/rules/probes/checks.ts";
import { provideStatusDeps } from "../status/runtime.ts";
import { startRounds } from "../status/start-rounds.ts";
import { startNotifier } from "../status/subscriptions/notify-subscribers.ts";
import { budgetMetrics } from "../status/uptime/budget-metrics.ts";
import { startFreezing } from "../status/uptime/start-freezing.ts";
import { sendConsoleToLog } from "./console-to-log.ts";
import { listen } from "./listen.ts";
import { startMetrics } from "./metrics.ts";
import { withNextHeaders } from "./next-headers.ts";
import { poolMetrics } from "./service-metrics.ts";
import { startTracingIfConfigured } from "./tracing.ts";

const root = path.resolve(import.meta.dirname, "../..");

const poolSize = 4;
/** Pages and figures are made for each reader, by the process that probes: nobody has all of its time. */
const readerLimit = createAddressLimit({ requests: 300, seconds: 60 });
/**
 * What the build brings is read from a file. Mail services end subscriptions for all of their readers (RFC 8058). An
 * address of no network but its own may be a proxy that nobody declared, and so all readers at once.
 */
const isSpared = (ipAddress: string, pathname: string): boolean =>
  pathname.startsWith("/_next/static/") ||
  pathname === "/status/subscriptions/unsubscribe" ||
  !isGloballyReachable(ipAddress);
const boardMilliseconds = 5_000;
const freezingMilliseconds = 10 * 60_000;
const tellMilliseconds = 2_000;
const pageMilliseconds = 15_000;

/**
 * The status process: answers while production, sandbox and the database are down. One runs per service
 * (docs/adr/030-status-page-board.md).
 */
export const runStatus = async (): Promise<void> => {
  const variables = readVariables(process.env);
  const config = toConfig(variables);
  const plainLog = createLog({ role: "status", environment: "both" }, config.logLevel);
  const tracing = await startTracingIfConfigured(config, "status");
  const trace = tracing?.job ?? untraced;
  const log = tracing?.log(plainLog) ?? plainLog;
  sendConsoleToLog(log);
  // A database that doesn't answer is away: this process goes on without it.
  const patience = patienceOf(config, "status");
  const db = connectDatabase(config.databaseUrl, poolSize, patience);
  const sandboxDb = variables.SANDBOX_DATABASE_URL
    ? connectDatabase(variables.SANDBOX_DATABASE_URL, 1, patience)
    : null;
  const sealer = createSealer(config.masterKey, "secrets");
  const probeSealer = createSealer(config.masterKey, "status_probe");
  const outbound = createOutbound({ allowLoopback: config.outboundLoopback });
  const deps = { config, db, clock: systemClock, sealer, outbound, log };
  const directory = config.dataDirectory;
  const journal = await openJournal({ directory, log });
  const keeper = await openBoard({
    replay: (records) =>
      trace(
        "replay-journal",
        () => replayJournal(deps, { records }),
        () => true,
      ),
    load: createBoardReader(deps),
    restore: (withheld) => restoreMissingRecords(deps, withheld),
    snapshot: openSnapshot({ directory, sealer: createSealer(config.masterKey, "status_snapshot"), log }),
    journal,
    clock: deps.clock,
    log,
    everyMilliseconds: boardMilliseconds,
  });
  const journeyOf = async (name: ServiceName, own: Db, baseUrl: string) => {
    const file = openSealedFile({ directory, name: `probe-${name}`, context: "probe:1", sealer: probeSealer, log });
    return createJourneyCheck({ ...deps, name, baseUrl, db: own, identity: await openProbeIdentity(file) });
  };
  const journeys = await Promise.all([
    journeyOf("production", db, config.baseUrl),
    ...(sandboxDb && variables.SANDBOX_URL ? [journeyOf("sandbox", sandboxDb, variables.SANDBOX_URL)] : []),
  ]);
  const freezing = startFreezing({ ...deps, journal, refresh: keeper.refresh }, freezingMilliseconds, trace);
  const statusDeps = {
    ...deps,
    board: keeper.board,
    journal: keeper,
    productionUrl: config.baseUrl,
    sandboxUrl: variables.SANDBOX_URL ?? null,
  };
  provideStatusDeps(statusDeps);
  const send =
    config.smtpUrl === null ? null : createSmtpSender({ smtpUrl: config.smtpUrl, mailFrom: config.mailFrom });
  const stopTelling = startNotifier(statusDeps, { send, everyMilliseconds: tellMilliseconds, trace });
  const page = send && createPager({ ...statusDeps, journal: keeper }, send);
  const paging = page && { round: () => trace("page-operators", page, (told) => told > 0), stop() {} };
  const stopPaging = paging ? startRounds(deps, paging, pageMilliseconds) : async () => {};
  const { default: next } = await import("next");
  const pages = next({ dev: false, dir: root, hostname: "localhost", port: variables.STATUS_PORT });
  const [routes] = await Promise.all([discoverRoutes(path.join(root, "app/status"), "/status"), pages.prepare()]);
  const gateway = createGateway({
    config: { baseUrl: config.statusUrl, trustedProxies: config.trustedProxies },
    log,
    routes,
    pages: ownPages(withNextHeaders(pages.getRequestHandler()), config.baseUrl),
    statusUrl: null,
    admit: (ipAddress, pathname) => (isSpared(ipAddress, pathname) ? null : readerLimit(deps, ipAddress)),
  });
  const own = atRoot(withHealth(gateway, config.statusUrl.startsWith("https:")));
  const server = await listen(tracing?.handler(own) ?? own, {
    port: variables.STATUS_PORT,
    host: config.listenHost ?? (isLoopbackUrl(config.statusUrl) ? null : "::"),
    baseUrl: config.baseUrl,
    log,
    connections: config.connections,
  });
  const probes = startProbes(statusDeps, {
    intervalMilliseconds: variables.STATUS_PROBE_SECONDS * 1000,
    incidentsAreDrafts: variables.STATUS_INCIDENTS === "draft",
    runChecks: () =>
      trace(
        "run-probes",
        () => runChecks({ ...statusDeps, sandboxDb, journeys }),
        () => true,
      ),
  });
  const metrics = await startMetrics({ config, log }, [
    () => budgetMetrics(deployedOrAll(summarizeComponents(keeper.board(), deps.clock.now()))),
    () => poolMetrics({ db }),
  ]);
  stopWhenTold(async () => {
    await Promise.all([probes.stop(), server.close(drainMilliseconds)]);
    await metrics.close();
    await pages.close();
    await freezing.stop();
    await Promise.all([stopTelling(), stopPaging()]);
    await keeper.stop();
    await Promise.all([db.close(), sandboxDb?.close()]);
    await tracing?.stop();
  }, log);
  announceReady();
};

/**
 * This host shows the status page at its root (docs/spec/product.md, Components and hosts), and answers as a Statuspage
 * does.
 */
const atRoot =
  (handler: NodeHandler): NodeHandler =>
  (incoming, outgoing) => {
    incoming.url = incoming.url?.replace(/^\/(?=$|\?)/, "/status").replace(/^\/(?=api\/v2\/)/, "/status/");
    return handler(incoming, outgoing);
  };

/** Where a Statuspage has its pages and feeds, for those who are used to one. @returns null: this host has nothing there. */
const ownAddress = (url: string): string | null => {
  if (/^\/(history|subscribe|uptime)(?=$|\?)|^\/(components|incidents|maintenance)\/./.test(url))
    return `/status${url}`;
  const feed = /^\/history\.(atom|rss)(?=$|\?)/.exec(url);
  return feed && `/status/feed.${feed[1]}`;
};

/** The pages below /status, and what the build brings for them; all others are production's. */
const ownPages =
  (pages: NodeHandler, baseUrl: string): NodeHandler =>
  async (incoming, outgoing) => {
    const { url = "" } = incoming;
    if (/^\/(status|_next|icon\.svg)(?=$|[/?])/.test(url)) return pages(incoming, outgoing);
    const location = ownAddress(url) ?? `${baseUrl}${url}`;
    outgoing.writeHead(307, { location, "cache-control": "no-store" }).end();
  };

/** It needs nothing but itself, so it is ready when it lives. */
const withHealth =
  (gateway: NodeHandler, isHttps: boolean): NodeHandler =>
  async (incoming, outgoing) => {
    const pathname = incoming.url?.split("?", 1)[0];
    const isRead = incoming.method === "GET" || incoming.method === "HEAD";
    if (isRead && (pathname === "/healthz" || pathname === "/readyz")) {
      const status = pathname === "/healthz" ? "alive" : "ready";
      outgoing
        .writeHead(200, {
          ...machineHeaders(isHttps),
          "content-type": "application/json",
          "cache-control": "no-store",
          "x-request-id": newId("req"),
        })
        .end(JSON.stringify({ status }));
      return;
    }
    return gateway(incoming, outgoing);
  };
