import os from "node:os";
import path from "node:path";
import { quantileOf } from "../support/quantile.ts";
import { formatProfile, summarizeProfile } from "./instrument/profile.ts";
import { median, runOnce, usualConnections, warmUpSeconds } from "./measure.ts";
import type { EndpointKey, Scenario } from "./scenarios.ts";
import { type Child, sendToChild } from "./servers/child.ts";

/** A web process that observes itself (instrument/web-probe.ts), and the load generator for it. */
export type Probe = { load: Child; web: { port: number; child: Child } };
export type Probed = { statements: ReadonlyMap<EndpointKey, number>; ownShare: OwnShare | null };

/** Figures that can't be measured from outside: statements per request, and our share of a charge. */
export const probeAll = async (
  scenarios: readonly Scenario[],
  probe: Probe,
  { seconds }: { seconds: number },
): Promise<Probed> => {
  const statements = new Map<EndpointKey, number>();
  for (const scenario of scenarios) {
    if (scenario.usesDatabase) statements.set(scenario.key, await countStatements(scenario, probe));
  }
  const paced = scenarios.find(({ key, ratePerSecond }) => key === "charge" && ratePerSecond !== null);
  return { statements, ownShare: paced ? await measureOwnShare(paced, { ...probe, seconds }) : null };
};

/**
 * With 300 requests in a round, a single stall of 0.2 s (for example of the disk) determines the p95. With this number
 * of rounds, at least half have no stall.
 */
const ownShareRounds = 7;

export type OwnShare = { p50: number; p95: number };

/** The duration of a paced scenario without the processor's part, on a web process that measures its calls. */
const measureOwnShare = async (
  scenario: Scenario,
  { load, web, seconds }: Probe & { seconds: number },
): Promise<OwnShare> => {
  const request = await scenario.templates.paygrant?.();
  const perSecond = scenario.ratePerSecond;
  if (!request || perSecond === null) throw new Error(`${scenario.title} has no pace`);
  const common = {
    port: web.port,
    request,
    expected: scenario.expected,
    connections: usualConnections,
    ratePerSecond: perSecond,
  };
  const run = (duration: number) => runOnce(load, { ...common, seconds: duration, prepared: perSecond * duration + 1 });
  await run(warmUpSeconds);
  await sendToChild(web.child, { command: "own_share" });
  const shares: OwnShare[] = [];
  while (shares.length < ownShareRounds) {
    await run(seconds);
    const { milliseconds } = await sendToChild<{ milliseconds: number[] }>(web.child, { command: "own_share" });
    const sorted = milliseconds.sort((a, b) => a - b);
    shares.push({ p50: quantileOf(sorted, 0.5), p95: quantileOf(sorted, 0.95) });
  }
  return { p50: median(shares.map(({ p50 }) => p50)), p95: median(shares.map(({ p95 }) => p95)) };
};

const countedRequests = 200;

/** The exact number of statements, including BEGIN and COMMIT, that one web process sends per request. */
export const countStatements = async (
  scenario: Pick<Scenario, "templates" | "expected">,
  { load, web }: Probe,
): Promise<number> => {
  const template = await scenario.templates.paygrant?.();
  if (!template) return Number.NaN;
  const common = { port: web.port, request: template, expected: scenario.expected, ratePerSecond: null, seconds: 30 };
  await runOnce(load, { ...common, connections: 4, prepared: 20 });
  const before = await sendToChild<{ statements: number }>(web.child, { command: "statements" });
  const { answered } = await runOnce(load, { ...common, connections: 4, prepared: countedRequests });
  const after = await sendToChild<{ statements: number }>(web.child, { command: "statements" });
  return (after.statements - before.statements) / answered;
};

/** Where the process spends its time while it serves one endpoint. @returns text for a reader. */
export const profileScenario = async (
  scenario: Scenario,
  { load, web, seconds }: Probe & { seconds: number },
): Promise<string> => {
  const request = await scenario.templates.paygrant?.();
  if (!request) return "";
  const common = {
    port: web.port,
    request,
    expected: scenario.expected,
    connections: usualConnections,
    ratePerSecond: null,
  };
  await runOnce(load, { ...common, seconds: 2, prepared: 20_000 });
  await sendToChild(web.child, { command: "start_profile" });
  const result = await runOnce(load, { ...common, seconds, prepared: Math.ceil(seconds * 6_000) });
  const file = path.join(os.tmpdir(), `paygrant-${scenario.key}.cpuprofile`);
  await sendToChild(web.child, { command: "write_profile", file });
  const summary = formatProfile(await summarizeProfile(file));
  return `\n${scenario.title}: ${Math.round(result.perSecond)}/s while profiled\n${summary}\n\nwhole profile: ${file}`;
};
