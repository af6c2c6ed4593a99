import os from "node:os";
import { parseArgs } from "node:util";
import { StartError, step } from "#server/cli/supervisor/steps.ts";
import { makeActors } from "./actors.ts";
import { type Flushes, watchFlushes } from "./disk-flushes.ts";
import { type Measured, measureScenario, usualConnections } from "./measure.ts";
import { type Probed, probeAll, profileScenario } from "./probe.ts";
import { formatAims, formatTable } from "./report.ts";
import { type EndpointKey, endpointKeys, makeScenarios, publishedConnections, signedConnections } from "./scenarios.ts";
import { startLoadGenerator, startPeer, startProbedWeb } from "./servers/contenders.ts";
import { startProduct } from "./servers/product.ts";
import { type Begin, untilStopped } from "./servers/until-stopped.ts";
import { listAims, round } from "./targets.ts";

/** After this many seconds of load no further round starts, so that a bench doesn't take 15 minutes. */
const loadSeconds = 600;
const rounds = 3;
const maxWeb = 8;

type Options = { keys: ReadonlySet<EndpointKey>; seconds: number; web: number; profiled: EndpointKey | null };

const isKey = (text: string): text is EndpointKey => endpointKeys.some((key) => key === text);

/** @throws StartError with a message of one line. */
const readOptions = (args: readonly string[]): Options => {
  const { values } = parseArgs({
    args: [...args],
    options: {
      only: { type: "string" },
      seconds: { type: "string" },
      web: { type: "string" },
      profile: { type: "string" },
    },
  });
  const keys = values.only?.split(",") ?? endpointKeys;
  const seconds = Number(values.seconds ?? 3);
  // One web process per CPU. The service's own default is one process (WEB_CONCURRENCY).
  const web = Number(values.web ?? Math.min(os.availableParallelism(), maxWeb));
  const profiled = values.profile ?? null;
  for (const key of [...keys, ...(profiled === null ? [] : [profiled])]) {
    if (!isKey(key)) throw new StartError(`${key}: not one of ${endpointKeys.join(", ")}`);
  }
  if (!(seconds >= 0.5 && seconds <= 60)) throw new StartError("--seconds: from 0.5 to 60");
  if (!(Number.isInteger(web) && web >= 1 && web <= maxWeb)) {
    throw new StartError(`--web: 1 to ${maxWeb} processes`);
  }
  return {
    keys: new Set(keys.filter(isKey)),
    seconds,
    web,
    profiled: profiled !== null && isKey(profiled) ? profiled : null,
  };
};

/**
 * Measures and prints. Slow answers are reported. A wrong answer ends the run.
 * @throws StartError when an answer isn't a success.
 */
export const runBench = (args: readonly string[]): Promise<void> => {
  const options = readOptions(args);
  return untilStopped((begin) => measureAll(options, begin));
};

const startAll = async (begin: Begin, webProcesses: number) => {
  const product = await step("service", () => begin(startProduct(webProcesses)));
  const [peer, limit] = await step("peers", () => Promise.all([startPeer("peer.ts"), startPeer("crypto-limit.ts")]));
  const load = await startLoadGenerator();
  for (const { stop } of [peer.child, limit.child, load]) await begin(Promise.resolve({ stop }));
  const actors = await step("actors", () => makeActors(product.issuer, product.databaseUrl));
  const servers = { paygrant: product, "oidc-provider": peer, baseline: limit };
  return { product, load, servers, scenarios: makeScenarios({ actors, issuer: product.issuer, peer, limit }) };
};

const measureAll = async (options: Options, begin: Begin): Promise<void> => {
  const { product, load, servers, scenarios } = await startAll(begin, options.web);
  const chosen = scenarios.filter(({ key }) => options.keys.has(key));
  const web = await begin(startProbedWeb(product.webEnvironment).then((one) => ({ ...one, stop: one.child.stop })));
  if (options.profiled) {
    const scenario = scenarios.find(({ key }) => key === options.profiled);
    if (scenario) process.stdout.write(`${await profileScenario(scenario, { load, web, seconds: options.seconds })}\n`);
    return;
  }
  const flushes = await begin(watchFlushes(product.dataDirectory));
  const probed = await step("statements", () => probeAll(chosen, { load, web }, options));
  await web.child.stop();
  const until = performance.now() + loadSeconds * 1000;
  const pace = {
    load,
    servers,
    processes: { paygrant: options.web },
    warm: new Set<string>(),
    rounds,
    seconds: options.seconds,
    hasTime: () => performance.now() < until,
  };
  const all: Measured[] = [];
  for (const scenario of chosen) {
    all.push(...(await step(scenario.title.trim(), () => measureScenario(scenario, pace))));
  }
  print(all, { ...probed, ...options, flushes: await flushes.stop() });
};

type Found = Probed & Pick<Options, "seconds" | "web"> & { flushes: Flushes };

const print = (all: readonly Measured[], { seconds, web, flushes, ...probed }: Found): void => {
  const aims = listAims({
    find: (key, contender, ratePerSecond) =>
      all.find(
        ({ scenario, contender: who }) =>
          scenario.key === key && who === contender && scenario.ratePerSecond === (ratePerSecond ?? null),
      ),
    ...probed,
  });
  const fewest = Math.min(...all.map((one) => one.rounds));
  const answered = all.reduce((total, { result }) => total + result.answered, 0);
  const lines = [
    "",
    `${usualConnections} connections (token, par, introspect: ${signedConnections}; status-list, jwks: ${publishedConnections}), ${seconds} s a run, median of ${fewest === rounds ? rounds : `${fewest} to ${rounds}`} alternating rounds, over loopback; times in ms as the client sees them.`,
    `${answered.toLocaleString("en-GB")} responses, all successful. ${os.availableParallelism()} cores for servers, PostgreSQL and load together; ${web === 1 ? "one web process" : `${web} web processes`}.`,
    `Meanwhile, a disk flush took ${round(flushes.p50)} ms (p99: ${round(flushes.p99)} ms, maximum: ${round(flushes.longest)} ms). A write waits for one flush, a charge for three. To measure without the disk, set TMPDIR=/dev/shm. The peer writes nothing to disk.`,
    "",
    formatTable(all, probed.statements),
    "",
    "peer: oidc-provider with its in-memory adapter. The peer introspects only opaque tokens; Paygrant introspects JWTs. The peer checks authorization_details with Paygrant’s validator, but doesn’t look up merchants. The peer and the baseline run with Node’s defaults, and Paygrant’s processes with the options of `npm start`, which set the size of the young generation. baseline: a server that only verifies one ES256 assertion and, where the endpoint issues a token, signs one ES256 token.",
    "CPU/req: ms of CPU of all of the server’s processes, PostgreSQL included. SQL: statements per request, BEGIN and COMMIT included. charge includes the simulated processor.",
    "",
    "Targets",
    formatAims(aims),
    "",
  ];
  process.stdout.write(lines.join("\n"));
};
