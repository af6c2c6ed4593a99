import { spawn } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../../..");

export type Outcome = { name: string; passed: number; failed: number; seconds: number; output: string };

type Run = { code: number; output: string };

const require = createRequire(import.meta.url);
const installed = (file: string) => path.join(root, "node_modules", file);
const programs = {
  tsc: installed("typescript/bin/tsc"),
  biome: require.resolve("@biomejs/biome/bin/biome"),
  depcruise: installed("dependency-cruiser/bin/dependency-cruiser.mjs"),
  knip: installed("knip/bin/knip.js"),
  vitest: installed("vitest/vitest.mjs"),
  playwright: installed("@playwright/test/cli.js"),
} as const;
type Program = keyof typeof programs;

/** Runs a program of node_modules with this Node and keeps what it says. */
const run = (program: Program, args: readonly string[], environment: NodeJS.ProcessEnv): Promise<Run> =>
  new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [programs[program], ...args], {
      cwd: root,
      env: environment,
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    for (const stream of [child.stdout, child.stderr]) stream.on("data", (chunk: Buffer) => (output += chunk));
    child.once("error", reject);
    child.once("exit", (code) => resolve({ code: code ?? 1, output }));
  });

const report = (outcome: Outcome): Outcome => {
  const mark = outcome.failed === 0 ? "✓" : "✗";
  const counts = `${outcome.passed} passed${outcome.failed > 0 ? `, ${outcome.failed} failed` : ""}`;
  process.stdout.write(
    `${mark} ${outcome.name.padEnd(16)} ${`${outcome.seconds.toFixed(1)} s`.padStart(8)}  ${counts}\n`,
  );
  if (outcome.failed > 0) process.stdout.write(`${outcome.output.trim()}\n`);
  return outcome;
};

/** A check that holds or doesn't: counts as one. */
export const runTool = async (name: string, program: Program, args: readonly string[]): Promise<Outcome> => {
  const startedAt = performance.now();
  const { code, output } = await run(program, args, process.env);
  const failed = code === 0 ? 0 : 1;
  return report({ name, passed: 1 - failed, failed, seconds: (performance.now() - startedAt) / 1000, output });
};

type Totals = { passed: number; failed: number };

/**
 * Tests that count themselves: `totalsOf` reads their JSON report. A run that ends badly without a failed test (a file
 * that can't be loaded, a hook that throws) counts as one failure.
 */
const runTests = async (
  name: string,
  program: Program,
  args: (reportFile: string) => readonly string[],
  environment: NodeJS.ProcessEnv,
  totalsOf: (report: unknown) => Totals,
): Promise<Outcome> => {
  const startedAt = performance.now();
  const directory = await mkdtemp(path.join(os.tmpdir(), "paygrant-report-"));
  const reportFile = path.join(directory, "report.json");
  const { code, output } = await run(program, args(reportFile), {
    ...environment,
    PLAYWRIGHT_JSON_OUTPUT_NAME: reportFile,
  });
  const text = await readFile(reportFile, "utf8").catch(() => null);
  await rm(directory, { recursive: true, force: true });
  const totals = text === null ? { passed: 0, failed: 0 } : totalsOf(JSON.parse(text));
  const failed = code !== 0 && totals.failed === 0 ? 1 : totals.failed;
  return report({ name, passed: totals.passed, failed, seconds: (performance.now() - startedAt) / 1000, output });
};

type VitestReport = { numPassedTests: number; numFailedTests: number };
type PlaywrightReport = { stats: { expected: number; flaky: number; unexpected: number } };

export const runVitest = (name: string, project: string, environment: NodeJS.ProcessEnv): Promise<Outcome> =>
  runTests(
    name,
    "vitest",
    (file) => [
      "run",
      `--project=${project}`,
      "--passWithNoTests",
      "--reporter=dot",
      "--reporter=json",
      `--outputFile.json=${file}`,
    ],
    environment,
    (report) => {
      const { numPassedTests, numFailedTests } = report as VitestReport;
      return { passed: numPassedTests, failed: numFailedTests };
    },
  );

export const runPlaywright = (name: string, environment: NodeJS.ProcessEnv): Promise<Outcome> =>
  runTests(
    name,
    "playwright",
    () => ["test", "--pass-with-no-tests", "--reporter=line,json"],
    environment,
    (report) => {
      const { stats } = report as PlaywrightReport;
      return { passed: stats.expected + stats.flaky, failed: stats.unexpected };
    },
  );

/** The line that other programs read, and the exit code. */
export const conclude = (outcomes: readonly Outcome[]): never => {
  const sum = (pick: (outcome: Outcome) => number) => outcomes.reduce((total, outcome) => total + pick(outcome), 0);
  const failed = sum((outcome) => outcome.failed);
  process.stdout.write(`${sum((outcome) => outcome.passed)} passed, ${failed} failed\n`);
  process.exit(failed === 0 ? 0 : 1);
};
