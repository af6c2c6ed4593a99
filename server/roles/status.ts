import path from "node:path";
import type { NodeHandler } from "../contract/node-handler.ts";
import { connectDatabase, type Db } from "../data/client.ts";
import { databaseTimeouts } from "../data/timeouts.ts";
import type { Deps, Log } from "../deps/deps.ts";
import { findBuiltFiles, withBrotli } from "../http/compression/with-brotli.ts";
import { createGateway } from "../http/gateway/gateway.ts";
import { discoverRoutes } from "../http/gateway/routes.ts";
import { withNotFoundPages } from "../http/pages/not-found-pages.ts";
import { withUnavailablePages } from "../http/pages/unavailable-pages.ts";
import { machineHeaders } from "../http/security-headers.ts";
import { createSealer } from "../kernel/crypto/seal.ts";
import { newId } from "../kernel/ids.ts";
import { systemClock } from "../kernel/time/clock.ts";
import { isLoopbackUrl, readVariables, toConfig, type Variables } from "../platform/config.ts";
import { announceReady, drainMilliseconds, onShutdown } from "../platform/lifecycle.ts";
import { createAddressLimit } from "../platform/limits/address-limit.ts";
import { createLog } from "../platform/log.ts";
import { createSmtpSender } from "../platform/mail/smtp.ts";
import { isGloballyReachable } from "../platform/outbound/global-address.ts";
import { createOutbound } from "../platform/outbound/outbound.ts";
import type { Tracing } from "../platform/tracing/start-tracing.ts";
import { type TraceJob, untraced } from "../platform/tracing/trace-job.ts";
import { createPager } from "../status/alerts/page-operators.ts";
import { openJournal } from "../status/board/journal.ts";
import { createBoardReader } from "../status/board/load-board.ts";
import { openBoard } from "../status/board/open-board.ts";
import { replayJournal } from "../status/board/replay-journal.ts";
import { restoreMissingRecords } from "../status/board/restore-missing-records.ts";
import { openSealedFile } from "../status/board/sealed-file.ts";
import { openSnapshot } from "../status/board/snapshot.ts";
import { deployedOrAll, summarizeComponents } from "../status/overview/summarize-components.ts";
import { createBillingCheck } from "../status/probes/check-billing.ts";
import { createGrantFinder, createJourneyCheck } from "../status/probes/check-journey.ts";
import { openProbeIdentity } from "../status/probes/probe-identity.ts";
import { runChecks } from "../status/probes/run-checks.ts";
import { startProbes } from "../status/probes/start-probes.ts";
import type { ServiceName } from "../status/rules/probes/checks.ts";
import { provideStatusDeps, type StatusDeps } from "../status/runtime.ts";
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
/** This process renders pages and runs the probes, so no reader may use all of its time. */
const readerLimit = createAddressLimit({ requests: 300, seconds: 60 });
/**
 * No limit for build files, for unsubscribing (mail services send these requests for all their users, RFC 8058), and
 * for private addresses: a private address may be a proxy that all readers use and that TRUSTED_PROXIES doesn't list.
 */
const isUnlimited = (ipAddress: string, pathname: string): boolean =>
  pathname.startsWith("/_next/static/") ||
  pathname === "/status/subscriptions/unsubscribe" ||
  !isGloballyReachable(ipAddress);
const boardMilliseconds = 5_000;
const freezingMilliseconds = 10 * 60_000;
const notifyMilliseconds = 2_000;
const pageMilliseconds = 15_000;

type Process = {
  config: Deps["config"];
  variables: Variables;
  db: Db;
  sandboxDb: Db | null;
  log: Log;
  trace: TraceJob;
};

/**
 * The status process: it works while production, sandbox and the database are down. There is one per service
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
  // With time-outs: a database that doesn't respond counts as unavailable, and this process continues without it.
  const timeouts = databaseTimeouts(config, "status");
  const db = connectDatabase(config.databaseUrl, poolSize, timeouts);
  const sandboxUrl = variables.SANDBOX_DATABASE_URL;
  const sandboxDb = sandboxUrl ? connectDatabase(sandboxUrl, 1, timeouts) : null;
  const own: Process = { config, variables, db, sandboxDb, log, trace };
  const { deps, store, stopFreezing } = await startBoard(own);
  provideStatusDeps(deps);
  const stopNotifying = startNotifying(own, deps);
  const site = await startSite(own, tracing);
  const probes = await startProbing(own, deps);
  const metrics = await startMetrics({ config, log }, [
    () => budgetMetrics(deployedOrAll(summarizeComponents(store.board(), deps.clock.now()))),
    () => poolMetrics({ db }),
  ]);
  onShutdown(async () => {
    await Promise.all([probes.stop(), site.server.close(drainMilliseconds)]);
    await metrics.close();
    await site.pages.close();
    await stopFreezing();
    await stopNotifying();
    await store.stop();
    await Promise.all([db.close(), sandboxDb?.close()]);
    await tracing?.stop();
  }, log);
  announceReady();
};

const startBoard = async ({ config, variables, db, log, trace }: Process) => {
  const directory = config.dataDirectory;
  const sealer = createSealer(config.masterKey, "secrets");
  const outbound = createOutbound({ allowLoopback: config.outboundLoopback });
  const deps = { config, db, clock: systemClock, sealer, outbound, log };
  const journal = await openJournal({ directory, log });
  const store = await openBoard({
    replay: (records) => always(trace, "replay-journal", () => replayJournal(deps, { records })),
    load: createBoardReader(deps),
    restore: (missing) => restoreMissingRecords(deps, missing),
    snapshot: openSnapshot({ directory, sealer: createSealer(config.masterKey, "status_snapshot"), log }),
    journal,
    clock: deps.clock,
    log,
    everyMilliseconds: boardMilliseconds,
  });
  const freezing = startFreezing({ ...deps, journal, refresh: store.refresh }, freezingMilliseconds, trace);
  const statusDeps: StatusDeps = {
    ...deps,
    board: store.board,
    journal: store,
    productionUrl: config.baseUrl,
    sandboxUrl: variables.SANDBOX_URL ?? null,
  };
  return { deps: statusDeps, store, stopFreezing: () => freezing.stop() };
};

/** Traces every run of a job. */
const always = <Result>(trace: TraceJob, name: string, run: () => Promise<Result>): Promise<Result> =>
  trace(name, run, () => true);

/** Sends updates to subscribers and alerts to operators. @returns a function that stops sending. */
const startNotifying = ({ config, log, trace }: Process, deps: StatusDeps): (() => Promise<void>) => {
  const { smtpUrl, mailFrom } = config;
  const send = smtpUrl === null ? null : createSmtpSender({ smtpUrl, mailFrom });
  const stopNotifier = startNotifier(deps, { send, everyMilliseconds: notifyMilliseconds, trace });
  const page = send && createPager(deps, send);
  const paging = page && { round: () => trace("page-operators", page, (count) => count > 0), stop() {} };
  const stopPaging = paging ? startRounds({ log }, paging, pageMilliseconds) : async () => {};
  return async () => {
    await Promise.all([stopNotifier(), stopPaging()]);
  };
};

const startProbing = async ({ config, variables, db, sandboxDb, log, trace }: Process, deps: StatusDeps) => {
  const directory = config.dataDirectory;
  const sealer = createSealer(config.masterKey, "status_probe");
  const checksOf = async (name: ServiceName, ownDb: Db, baseUrl: string) => {
    const file = openSealedFile({ directory, name: `probe-${name}`, context: "probe:1", sealer, log });
    const identity = await openProbeIdentity(file);
    const { clock } = deps;
    const findGrant = createGrantFinder({ name, db: ownDb, identity, clock, log });
    const own = { baseUrl, identity, clock, findGrant };
    return { journey: createJourneyCheck({ name, ...own }), billing: createBillingCheck(own) };
  };
  const production = await checksOf("production", db, config.baseUrl);
  const sandbox =
    sandboxDb && variables.SANDBOX_URL ? await checksOf("sandbox", sandboxDb, variables.SANDBOX_URL) : null;
  const journeys = [production, ...(sandbox ? [sandbox] : [])].map(({ journey }) => journey);
  const targets = { ...deps, sandboxDb, journeys, checkBilling: production.billing };
  return startProbes(deps, {
    intervalMilliseconds: variables.STATUS_PROBE_SECONDS * 1000,
    incidentsAreDrafts: variables.STATUS_INCIDENTS === "draft",
    runChecks: () => always(trace, "run-probes", () => runChecks(targets)),
  });
};

const startSite = async ({ config, variables, log }: Process, tracing: Tracing | null) => {
  const { default: next } = await import("next");
  const pages = next({ dev: false, dir: root, hostname: "localhost", port: variables.STATUS_PORT });
  const [routes] = await Promise.all([discoverRoutes(path.join(root, "app/status"), "/status"), pages.prepare()]);
  const limitDeps = { config, clock: systemClock };
  const gateway = createGateway({
    config: { baseUrl: config.statusUrl, trustedProxies: config.trustedProxies },
    log,
    routes,
    pages: withBrotli(
      ownPages(withNotFoundPages(withUnavailablePages(withNextHeaders(pages.getRequestHandler()))), config.baseUrl),
      await findBuiltFiles(root),
    ),
    statusUrl: null,
    admit: (ipAddress, pathname) => (isUnlimited(ipAddress, pathname) ? null : readerLimit(limitDeps, ipAddress)),
  });
  const own = atRoot(withHealth(gateway, config.statusUrl.startsWith("https:")));
  const server = await listen(tracing?.handler(own) ?? own, {
    port: variables.STATUS_PORT,
    host: config.listenHost ?? (isLoopbackUrl(config.statusUrl) ? null : "::"),
    baseUrl: config.baseUrl,
    log,
    connections: config.connections,
  });
  return { server, pages };
};

/**
 * Serves the status page at the root of this host (docs/spec/product.md, Components and hosts), the API at the paths
 * that Statuspage uses, and the calendar.
 */
const atRoot =
  (handler: NodeHandler): NodeHandler =>
  (incoming, outgoing) => {
    incoming.url = incoming.url
      ?.replace(/^\/(?=$|\?)/, "/status")
      .replace(/^\/(?=api\/v2\/|maintenance\.ics(?:$|\?))/, "/status/");
    return handler(incoming, outgoing);
  };

/** @returns our path of a page or feed that is requested at its Statuspage path; null for other paths. */
const ownAddress = (url: string): string | null => {
  if (/^\/(history|subscribe|uptime)(?=$|\?)|^\/(components|incidents|maintenance)\/./.test(url))
    return `/status${url}`;
  const feed = /^\/history\.(atom|rss)(?=$|\?)/.exec(url);
  return feed && `/status/feed.${feed[1]}`;
};

/** Serves pages below /status and their build files. Redirects Statuspage's paths to them, and others to production. */
const ownPages =
  (pages: NodeHandler, baseUrl: string): NodeHandler =>
  async (incoming, outgoing) => {
    const { url = "" } = incoming;
    if (/^\/(status|_next|icon\.svg|favicon\.ico|apple-icon\.png|manifest\.webmanifest)(?=$|[/?])/.test(url))
      return pages(incoming, outgoing);
    const location = ownAddress(url) ?? `${baseUrl}${url}`;
    outgoing.writeHead(307, { location, "cache-control": "no-store" }).end();
  };

/** The status process depends on no other process, so it is ready as soon as it runs. */
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
