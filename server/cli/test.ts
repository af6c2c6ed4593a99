import { findChromium } from "./checks/find-chromium.ts";
import { conclude, type Outcome, runPlaywright, runVitest } from "./checks/run-check.ts";
import { runStaticChecks } from "./checks/static-checks.ts";
import { describeInstance, startTestInstance, testEnvironment } from "./checks/test-instance.ts";
import { StartError, step } from "./supervisor/steps.ts";

/** A part that could not even begin counts as one failure, and the others still run. */
const attempt = async (name: string, work: () => Promise<Outcome[]>): Promise<Outcome[]> => {
  try {
    return await work();
  } catch (error) {
    const output = error instanceof StartError ? error.message : String(error);
    process.stdout.write(`✗ ${name}\n${output}\n`);
    return [{ name, passed: 0, failed: 1, seconds: 0, output }];
  }
};

/** Against a production build of its own, on ports and data of its own: a running service is not disturbed. */
const runOnInstance = async (): Promise<Outcome[]> => {
  // Two web processes: what must happen once must happen once across processes.
  const environment = await testEnvironment({ WEB_CONCURRENCY: "2", OUTBOUND_LOOPBACK: "1" });
  const instance = await step("service", () => startTestInstance(environment));
  try {
    const outer = { ...process.env, ...(await describeInstance(instance)) };
    return [
      await runVitest("database", "database", outer),
      await runVitest("http", "http", outer),
      ...(await attempt("browser", async () => [
        await runPlaywright("browser", { ...outer, CHROMIUM_PATH: await findChromium() }),
      ])),
      await runVitest("faults", "faults", outer),
    ];
  } finally {
    await instance.stop();
    await instance.remove();
  }
};

conclude([...(await attempt("checks", runStaticChecks)), ...(await attempt("service", runOnInstance))]);
