import { parseArgs } from "node:util";
import { startBehindNginx } from "./checks/behind-nginx.ts";
import { bound } from "./checks/bounds.ts";
import { findAuthlib } from "./checks/find-authlib.ts";
import { findChromium } from "./checks/find-chromium.ts";
import { findNginx } from "./checks/find-nginx.ts";
import { conclude, type Outcome, report, runPlaywright, runTool, runVitest } from "./checks/run-check.ts";
import { makeScratch } from "./checks/scratch.ts";
import { runRules, runStaticChecks } from "./checks/static-checks.ts";
import { describeInstance, startTestInstance, testEnvironment } from "./checks/test-instance.ts";
import { generateClient } from "./supervisor/build.ts";
import { StartError } from "./supervisor/steps.ts";

/**
 * Whatever hangs is ended by then. A run takes a quarter of an hour on two usual cores, half as much again on slow ones, and
 * twice that where others take half of their time.
 */
const bounds = bound(60);

/** A part that could not even begin counts as one failure, and the others still run. */
const attempt = async (name: string, work: () => Promise<Outcome[]>): Promise<Outcome[]> => {
  const startedAt = performance.now();
  try {
    return await work();
  } catch (error) {
    const output = error instanceof StartError ? error.message : String(error);
    return [report({ name, passed: 0, failed: 1, seconds: (performance.now() - startedAt) / 1000, output })];
  }
};

/** These start services of their own, and wait more than they compute. */
const ownServices = [
  "e2e/http/malformed.test.ts",
  "e2e/http/rate-limits.test.ts",
  "e2e/http/outside/required-nonces.test.ts",
];

/** Begun at once, one after the other, since the system installs one package at a time. */
const fetchTools = () => {
  const chromium = findChromium();
  const authlib = chromium.then(findAuthlib, findAuthlib);
  const nginx = authlib.then(findNginx, findNginx);
  return {
    chromium,
    // Whatever could not be installed is told by the tests that need it.
    settled: Promise.allSettled([chromium, authlib, nginx]),
  };
};

/** Ends what hangs, and leaves time for what comes last. */
const seconds = 3_000;

/** Against a production build, on ports and data of its own: a running service is not disturbed. */
const runOnInstance = async ({ chromium, settled }: ReturnType<typeof fetchTools>): Promise<Outcome[]> => {
  // Two web processes: what must happen once must happen once across processes.
  const environment = await testEnvironment({ WEB_CONCURRENCY: "2", OUTBOUND_LOOPBACK: "1" });
  const instance = await startTestInstance(environment, bounds.stopped);
  try {
    const outer = { ...process.env, ...(await describeInstance(instance)) };
    const http = { project: "http", seconds, environment: outer };
    await settled;
    const talking = async () => [
      await runVitest(bounds, { ...http, name: "http", args: ownServices.map((file) => `--exclude=${file}`) }),
      await runVitest(bounds, { ...http, name: "own services", args: ownServices }),
    ];
    const looking = async () => {
      const withBrowser = { ...outer, CHROMIUM_PATH: await chromium };
      return [await runPlaywright(bounds, { name: "browser", seconds, environment: withBrowser })];
    };
    const breaking = runVitest(bounds, { name: "faults", project: "faults", seconds });
    return (await Promise.all([talking(), attempt("browser", looking), breaking])).flat();
  } finally {
    await instance.stop();
    await instance.remove();
  }
};

/**
 * Four at a time, since each waits for a third of its time. The types are checked before the build writes types of its
 * own.
 */
const runAll = async (databaseDirectory: string): Promise<Outcome[]> => {
  const tools = fetchTools();
  await generateClient();
  const ofDatabase = { ...process.env, TMPDIR: databaseDirectory };
  const withoutService = async () => [
    await runVitest(bounds, { name: "database", project: "database", seconds, environment: ofDatabase }),
    await runRules(bounds),
  ];
  const beside = withoutService();
  const checks = await runStaticChecks(bounds);
  const build = await runTool(bounds, { name: "build", seconds: 900 }, "build", []);
  const service = build.failed > 0 ? [] : await attempt("service", () => runOnInstance(tools));
  return [...checks, build, ...(await beside), ...service];
};

/** Whatever is no HTTP message is answered by nginx itself. */
const ofNodesAlone = "e2e/http/http-messages.test.ts";

/**
 * `npm test -- --nginx`: the HTTP tests alone, of two web nodes and one worker behind nginx with docs/runbooks/nginx.conf;
 * then what only such a service can show, on one of its own.
 */
const runBehindNginx = async (): Promise<Outcome[]> => {
  await generateClient();
  const build = await runTool(bounds, { name: "build", seconds: 900 }, "build", []);
  if (build.failed > 0) return [build];
  const instance = await startBehindNginx(bounds.stopped);
  try {
    const environment = { ...process.env, ...(await describeInstance(instance)), E2E_BEHIND_PROXY: "1" };
    const args = [...ownServices, ofNodesAlone].map((file) => `--exclude=${file}`);
    const http = await runVitest(bounds, { name: "behind nginx", project: "http", seconds, environment, args });
    return [build, http, await runVitest(bounds, { name: "nodes", project: "nodes", seconds })];
  } finally {
    await instance.stop();
    await instance.remove();
  }
};

const { values } = parseArgs({ options: { nginx: { type: "boolean", default: false } } });
const scratch = await makeScratch();
process.env["TMPDIR"] = scratch.directory;
const outcomes = await attempt("start", () => (values.nginx ? runBehindNginx() : runAll(scratch.inMemory)));
await scratch.remove();
conclude(outcomes);
