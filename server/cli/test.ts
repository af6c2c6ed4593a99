import { chmod, mkdtemp, rm } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { bound } from "./checks/bounds.ts";
import { findChromium } from "./checks/find-chromium.ts";
import { conclude, type Outcome, report, runPlaywright, runTool, runVitest } from "./checks/run-check.ts";
import { runRules, runStaticChecks } from "./checks/static-checks.ts";
import { describeInstance, startTestInstance, testEnvironment } from "./checks/test-instance.ts";
import { generateClient } from "./supervisor/build.ts";
import { StartError } from "./supervisor/steps.ts";

/** Whatever hangs is ended by then, so that the run ends within 20 minutes, its installation included. */
const bounds = bound(18);

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

/** Against a production build, on ports and data of its own: a running service is not disturbed. */
const runOnInstance = async (): Promise<Outcome[]> => {
  // Two web processes: what must happen once must happen once across processes.
  const environment = await testEnvironment({ WEB_CONCURRENCY: "2", OUTBOUND_LOOPBACK: "1" });
  const instance = await startTestInstance(environment, bounds.stopped);
  try {
    const outer = { ...process.env, ...(await describeInstance(instance)) };
    return [
      await runVitest(bounds, { name: "http", project: "http", seconds: 600, environment: outer }),
      ...(await attempt("browser", async () => {
        const withBrowser = { ...outer, CHROMIUM_PATH: await findChromium() };
        return [await runPlaywright(bounds, { name: "browser", seconds: 600, environment: withBrowser })];
      })),
    ];
  } finally {
    await instance.stop();
    await instance.remove();
  }
};

/**
 * Three at a time: one that computes, one that talks to the service, one that mostly waits; then what goes by the
 * stopwatch, alone. The types are checked before the build writes types of its own.
 */
const runAll = async (): Promise<Outcome[]> => {
  await generateClient();
  const database = runVitest(bounds, { name: "database", project: "database", seconds: 600 });
  const checks = await runStaticChecks(bounds);
  const build = await runTool(bounds, { name: "build", seconds: 300 }, "build", []);
  const faults = () => runVitest(bounds, { name: "faults", project: "faults", seconds: 600 });
  const timing = () => runVitest(bounds, { name: "timing", project: "timing", seconds: 120 });
  const ofBuild = build.failed > 0 ? [] : [attempt("service", runOnInstance), faults()];
  const beside = (await Promise.all([database, runRules(bounds), ...ofBuild])).flat();
  return [...checks, build, ...beside, ...(build.failed > 0 ? [] : [await timing()])];
};

// Everything that the parts leave on disk goes with it. PostgreSQL, which is no root, must be able to pass through.
const directory = await mkdtemp(path.join(os.tmpdir(), "paygrant-test-"));
await chmod(directory, 0o755);
process.env["TMPDIR"] = directory;
const outcomes = await attempt("start", runAll);
await rm(directory, { recursive: true, force: true, maxRetries: 3 }).catch(() => {});
conclude(outcomes);
