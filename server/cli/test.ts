import path from "node:path";
import { parseArgs } from "node:util";
import { startBehindNginx } from "./checks/behind-nginx.ts";
import { type CheckRun, conclude, startRun } from "./checks/bounds.ts";
import { findAuthlib } from "./checks/find-authlib.ts";
import { findChromium } from "./checks/find-chromium.ts";
import { findNginx } from "./checks/find-nginx.ts";
import { findPgbouncer } from "./checks/pooler/find-pgbouncer.ts";
import type { Outcome } from "./checks/progress/outcome.ts";
import { report, runPlaywright, runTool, runVitest } from "./checks/run-check.ts";
import { makeScratch } from "./checks/scratch.ts";
import { rulesPart, runRules, runStaticChecks, staticParts } from "./checks/static-checks.ts";
import {
  describeInstance,
  prepareData,
  sharedServiceSettings,
  startTestInstance,
  testEnvironment,
} from "./checks/test-instance.ts";
import { findOrInstallPrograms } from "./ha/programs.ts";
import { generateClient } from "./supervisor/build.ts";
import { StartError } from "./supervisor/steps.ts";

/** Ends a run that hangs. A run takes 15 to 30 minutes on two cores, and up to 80 minutes on a slow or busy machine. */
const runMinutes = 88;
/** The time limit of each part. It is shorter than the limit of the run, so that later parts also have time. */
const seconds = 4_800;

const partsWithService = ["http", "own services", "shared service", "browser", "faults", "failover"];
const allParts = [...staticParts, "build", "database", rulesPart, ...partsWithService];
const nginxParts = ["build", "behind nginx", "nodes"];
const poolModes = ["session", "transaction"] as const;
const poolerPart = (mode: (typeof poolModes)[number]): string => `${mode} pooling`;
const poolerParts = ["build", ...poolModes.map(poolerPart)];

/**
 * Runs parts of the command. If the parts can't be started, this counts as one failure, and the other parts still run.
 */
const attempt = async (run: CheckRun, name: string, work: () => Promise<Outcome[]>): Promise<Outcome[]> => {
  const startedAt = performance.now();
  try {
    return await work();
  } catch (error) {
    const output = error instanceof StartError ? error.message : String(error);
    const elapsed = (performance.now() - startedAt) / 1000;
    return [report(run, { name, passed: 0, failed: 1, seconds: elapsed, output })];
  }
};

const runBuild = (run: CheckRun): Promise<Outcome> => runTool(run, { name: "build", seconds: 1_800 }, ["build"]);

type Tools = { chromium: Promise<string>; hasCluster: Promise<boolean>; settled: Promise<unknown> };

/** Finds or installs the tools one after another, because the system installs one package at a time. */
const findTools = (run: CheckRun): Tools => {
  const chromium = findChromium(run.progress.print);
  const authlib = chromium.then(findAuthlib, findAuthlib);
  const nginx = authlib.then(findNginx, findNginx);
  const leaveOut = (error: Error): boolean => {
    run.progress.print(`› failover         left out. ${error.message}\n`);
    return false;
  };
  const hasCluster = nginx.then(findOrInstallPrograms, findOrInstallPrograms).then(() => true, leaveOut);
  // If Chromium, Authlib or nginx is missing, the tests that need it report this.
  return { chromium, hasCluster, settled: Promise.allSettled([chromium, authlib, nginx, hasCluster]) };
};

/** Starts the tasks in this order, so that `atOnce` of them run at a time. */
const runInOrder = async (works: readonly (() => Promise<Outcome[]>)[], atOnce: number): Promise<Outcome[]> => {
  const waiting = works.values();
  const lane = async (): Promise<Outcome[]> => {
    const outcomes: Outcome[] = [];
    for (const work of waiting) outcomes.push(...(await work()));
    return outcomes;
  };
  return (await Promise.all(Array.from({ length: atOnce }, lane))).flat();
};

/** If the build takes longer than this, the machine is slow or busy, and tests could exceed their time limits. */
const slowBuildSeconds = 240;

type Order = {
  /** the parts that run without a service, and have already started */
  others: Promise<unknown>;
  /**
   * if true, three parts run at a time, not four, and the failover part runs last and alone: it sends requests at a
   * fixed rate, and waits for the cluster to recover
   */
  isSlow: boolean;
};

/** Runs the tests that need a service: a production build with its own ports and data. */
const runOnInstance = async (
  run: CheckRun,
  { chromium, hasCluster, settled }: Tools,
  { others, isSlow }: Order,
): Promise<Outcome[]> => {
  await prepareData(run.stopped);
  const instance = await startTestInstance(await testEnvironment(sharedServiceSettings), run.stopped);
  try {
    const environment = { ...process.env, ...(await describeInstance(instance)) };
    await settled;
    const runBrowser = async () => {
      const withBrowser = { ...environment, CHROMIUM_PATH: await chromium };
      return [await runPlaywright(run, { name: "browser", seconds, environment: withBrowser })];
    };
    const afterOthers = async () => {
      await others;
      return [];
    };
    const runPart = async (name: string, settings = environment, project = name) => [
      await runVitest(run, { name, project, seconds, environment: settings }),
    ];
    const works = [
      afterOthers,
      () => attempt(run, "browser", runBrowser),
      () => runPart("http"),
      () => runPart("faults", process.env),
      () => runPart("own services"),
      () => runPart("shared service", process.env, "shared"),
    ];
    const runFailover = async () => ((await hasCluster) ? runPart("failover", process.env) : []);
    if (!isSlow) return await runInOrder([...works, runFailover], 4);
    return [...(await runInOrder(works, 3)), ...(await runFailover())];
  } finally {
    await instance.stop();
    await instance.remove();
  }
};

/**
 * Runs up to four parts at a time, since each part spends a third of its time waiting; on a slow machine up to three.
 * Types are checked before the build, which writes its own types.
 */
const runAll = async (run: CheckRun, databaseDirectory: string): Promise<Outcome[]> => {
  const tools = findTools(run);
  await generateClient();
  const environment = { ...process.env, TMPDIR: databaseDirectory };
  const runWithoutService = async () => [
    await runVitest(run, { name: "database", project: "database", seconds, environment, args: ["--maxWorkers=2"] }),
    await runRules(run),
  ];
  const withoutService = runWithoutService();
  const checks = await runStaticChecks(run);
  const build = await runBuild(run);
  const order = { others: withoutService, isSlow: build.seconds > slowBuildSeconds };
  const withService = build.failed > 0 ? [] : await attempt(run, "service", () => runOnInstance(run, tools, order));
  return [...checks, build, ...(await withoutService), ...withService];
};

/**
 * Implements `npm test -- --nginx`: runs the HTTP tests with two web nodes and one worker behind nginx, which uses
 * docs/runbooks/nginx.conf. Then runs the tests of a rolling restart, on a separate service.
 */
const runBehindNginx = async (run: CheckRun): Promise<Outcome[]> => {
  await generateClient();
  const build = await runBuild(run);
  if (build.failed > 0) return [build];
  const instance = await startBehindNginx(run.stopped);
  try {
    const environment = { ...process.env, ...(await describeInstance(instance)), E2E_BEHIND_PROXY: "1" };
    const http = await runVitest(run, { name: "behind nginx", project: "http", seconds, environment });
    return [build, http, await runVitest(run, { name: "nodes", project: "nodes", seconds })];
  } finally {
    await instance.stop();
    await instance.remove();
  }
};

/**
 * Implements `npm test -- --pgbouncer`: runs the HTTP tests on a service that connects through PgBouncer with
 * docs/runbooks/pgbouncer.ini, once in each mode.
 */
const runBehindPgbouncer = async (run: CheckRun): Promise<Outcome[]> => {
  await findPgbouncer();
  await generateClient();
  // Not imported at the top: the package of the embedded PostgreSQL ends the process at Ctrl-C, before the results are
  // printed.
  const { startBehindPgbouncer } = await import("./checks/pooler/behind-pgbouncer.ts");
  const outcomes = [await runBuild(run)];
  if (outcomes[0]?.failed) return outcomes;
  for (const mode of poolModes) {
    const name = poolerPart(mode);
    const runMode = async () => {
      const { variables, stop } = await startBehindPgbouncer(mode, run.stopped);
      try {
        return [
          await runVitest(run, { name, project: "http", seconds, environment: { ...process.env, ...variables } }),
        ];
      } finally {
        await stop();
      }
    };
    outcomes.push(...(await attempt(run, name, runMode)));
  }
  return outcomes;
};

const variants = {
  nginx: { parts: nginxParts, work: runBehindNginx },
  pgbouncer: { parts: poolerParts, work: runBehindPgbouncer },
};
const { values } = parseArgs({
  options: { nginx: { type: "boolean", default: false }, pgbouncer: { type: "boolean", default: false } },
});
const variant = values.nginx ? variants.nginx : values.pgbouncer ? variants.pgbouncer : null;
const run = startRun(runMinutes, variant?.parts ?? allParts);
const scratch = await makeScratch();
process.env["TMPDIR"] = scratch.directory;
// The tests start more than a hundred processes. All except the first read the compiled code from this cache.
process.env["NODE_COMPILE_CACHE"] ??= path.join(scratch.inMemory, "compile-cache");
const outcomes = await attempt(run, "start", () => (variant ? variant.work(run) : runAll(run, scratch.inMemory)));
await scratch.remove();
conclude(run, outcomes);
