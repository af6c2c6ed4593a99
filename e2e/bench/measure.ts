import { setTimeout as sleep } from "node:timers/promises";
import { StartError } from "#server/cli/supervisor/steps.ts";
import { cpuSecondsOf } from "./cpu-time.ts";
import type { Job, RunResult, Together } from "./load/job.ts";
import type { Contender, Scenario } from "./scenarios.ts";
import { type Child, sendToChild } from "./servers/child.ts";

/**
 * Enough connections to keep both cores busy while requests wait for the database. With 32 connections, the machine was
 * partly idle for every contender.
 */
export const usualConnections = 64;
/**
 * The warm-up time per process. V8 compiles the hot code of a service only after tens of thousands of requests. In a
 * service that runs for weeks, all hot code is compiled.
 */
export const warmUpSeconds = 20;
/** The warm-up time for an endpoint that the contender has already served. */
const settleSeconds = 3;
/** Work that remains after a burst, such as webhooks, must not count for the next measurement. */
const calm = { cores: 0.3, patienceSeconds: 60 };
/** The requests per second that are prepared for the first run. Later runs use the measured rate. */
const firstPerSecond = 6_000;

export type Servers = Readonly<Record<Contender, { port: number; pid: number }>>;
export type Measured = { scenario: Scenario; contender: Contender; rounds: number; result: CostedResult };
/** `cpu`: the CPU time that the server and its database used per request, in ms */
export type CostedResult = RunResult & { cpu: number };
export type Pace = {
  load: Child;
  servers: Servers;
  /** the number of processes behind a contender that has several */
  processes: Partial<Record<Contender, number>>;
  /** the endpoints that each contender has already served, as `contender path`; each measurement adds its own */
  warm: Set<string>;
  seconds: number;
  rounds: number;
  hasTime: () => boolean;
};

/**
 * @param tolerated the share of requests that may fail: 0 in a bench, where one failure invalidates the result.
 * @throws StartError when more answers failed, or none succeeded.
 */
export const runOnce = async (load: Child, job: Job, tolerated = 0): Promise<RunResult> => {
  const answer = await sendToChild<{ result?: RunResult; error?: string }>(load, job);
  if (!answer.result) throw new Error(`the load generator failed: ${answer.error}`);
  const { failures, answered } = answer.result;
  if (failures > tolerated * answered || answered === 0) throw new StartError(describeFailures(job, answer.result));
  if (failures > 0) process.stdout.write(`${describeFailures(job, answer.result)}\n`);
  return answer.result;
};

/** Runs several jobs at the same time. @throws StartError unless every answer is a success. */
export const runAllOnce = async (load: Child, jobs: readonly Job[]): Promise<Together> => {
  const answer = await sendToChild<{ result?: Together; error?: string }>(load, jobs);
  if (!answer.result) throw new Error(`the load generator failed: ${answer.error}`);
  for (const [index, result] of answer.result.results.entries()) {
    const job = jobs[index];
    if (job && (result.failures > 0 || result.answered === 0)) throw new StartError(describeFailures(job, result));
  }
  return answer.result;
};

const describeFailures = ({ request, port }: Job, { failures, answered, samples }: RunResult): string =>
  `${request.method} ${request.path} on port ${port}: ${failures} requests failed and ${answered} succeeded. Samples of the failures:\n${samples.join("\n")}`;

/** Warms each contender up, then alternates between them, so that other load on the machine affects them equally. */
export const measureScenario = async (scenario: Scenario, pace: Pace): Promise<Measured[]> => {
  const contenders = Object.entries(scenario.templates) as [Contender, () => Promise<Job["request"]>][];
  const rates = new Map<Contender, number>();
  const { connections = usualConnections } = scenario;
  const run = async (contender: Contender, seconds: number): Promise<CostedResult> => {
    const template = await scenario.templates[contender]?.();
    if (!template) throw new Error(`the scenario “${scenario.title}” has no request for ${contender}`);
    const perSecond = scenario.ratePerSecond ?? rates.get(contender) ?? firstPerSecond;
    const { port, pid } = pace.servers[contender];
    const before = await cpuSecondsOf(pid);
    const result = await runOnce(pace.load, {
      port,
      request: template,
      expected: scenario.expected,
      connections,
      seconds,
      ratePerSecond: scenario.ratePerSecond,
      prepared: Math.ceil(perSecond * seconds * 1.5) + connections,
    });
    return { ...result, cpu: (((await cpuSecondsOf(pid)) - before) * 1000) / result.answered };
  };
  for (const [contender] of contenders) {
    const endpoint = `${contender} ${(await scenario.templates[contender]?.())?.path}`;
    const seconds = pace.warm.has(endpoint) ? settleSeconds : warmUpSeconds * (pace.processes[contender] ?? 1);
    pace.warm.add(endpoint);
    const { perSecond } = await run(contender, seconds);
    rates.set(contender, perSecond);
  }
  if (scenario.ratePerSecond !== null)
    for (const [contender] of contenders) await untilCalm(pace.servers[contender].pid);
  const results = new Map<Contender, CostedResult[]>();
  for (let round = 0; round < pace.rounds && (round === 0 || pace.hasTime()); round++) {
    for (const [contender] of contenders) {
      results.set(contender, [...(results.get(contender) ?? []), await run(contender, pace.seconds)]);
    }
  }
  return [...results].map(([contender, runs]) => ({
    scenario,
    contender,
    rounds: runs.length,
    result: medianOf(runs),
  }));
};

/** Waits until the server uses almost no CPU time. After `calm.patienceSeconds`, it returns in any case. */
const untilCalm = async (pid: number): Promise<void> => {
  for (let second = 0, before = await cpuSecondsOf(pid); second < calm.patienceSeconds; second++) {
    await sleep(1_000);
    const now = await cpuSecondsOf(pid);
    if (!(now - before > calm.cores)) return;
    before = now;
  }
};

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? Number.NaN;

/** The median of each figure separately. */
const medianOf = (runs: readonly CostedResult[]): CostedResult => {
  const of = (pick: (run: CostedResult) => number) => median(runs.map(pick));
  return {
    answered: runs.reduce((total, run) => total + run.answered, 0),
    seconds: of((run) => run.seconds),
    perSecond: of((run) => run.perSecond),
    p50: of((run) => run.p50),
    p95: of((run) => run.p95),
    p99: of((run) => run.p99),
    cpu: of((run) => run.cpu),
    failures: 0,
    samples: [],
  };
};
