import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import { type Bounds, type Run, runProgram } from "./run-program.ts";

const root = path.resolve(import.meta.dirname, "../../..");

export type Outcome = { name: string; passed: number; failed: number; seconds: number; output: string };

const require = createRequire(import.meta.url);
const installed = (file: string) => path.join(root, "node_modules", file);
const programs = {
  tsc: installed("typescript/bin/tsc"),
  biome: require.resolve("@biomejs/biome/bin/biome"),
  depcruise: installed("dependency-cruiser/bin/dependency-cruiser.mjs"),
  knip: installed("knip/bin/knip.js"),
  vitest: installed("vitest/vitest.mjs"),
  playwright: installed("@playwright/test/cli.js"),
  build: path.join(root, "server/cli/build.ts"),
} as const;
type Program = keyof typeof programs;

/** A part of what is checked, with the longest that it may take. */
export type Part = { name: string; seconds: number; environment?: NodeJS.ProcessEnv };

/** Tells what became of a part: in one piece, since others tell at the same time. */
export const report = (outcome: Outcome): Outcome => {
  const mark = outcome.failed === 0 ? "✓" : "✗";
  const counts = `${outcome.passed} passed${outcome.failed > 0 ? `, ${outcome.failed} failed` : ""}`;
  const line = `${mark} ${outcome.name.padEnd(16)} ${`${outcome.seconds.toFixed(1)} s`.padStart(8)}  ${counts}\n`;
  process.stdout.write(outcome.failed > 0 ? `${line}${outcome.output.trim()}\n` : line);
  return outcome;
};

type Totals = { passed: number; failed: number };

/** @param count what a run that came to its end says of itself */
const runPart = async (
  bounds: Bounds,
  { name, seconds, environment = process.env }: Part,
  program: Program,
  args: readonly string[],
  count: (run: Run) => Totals | Promise<Totals>,
): Promise<Outcome> => {
  const startedAt = performance.now();
  const run = await runProgram([programs[program], ...args], { environment, bounds, seconds });
  const { passed, failed } = await count(run);
  return report({
    name,
    passed,
    failed: run.cutFor === null ? failed : Math.max(1, failed),
    seconds: (performance.now() - startedAt) / 1000,
    output: bounds.stopped.aborted
      ? ""
      : run.output + (run.cutFor === null ? "" : `\n${name} was ended: ${run.cutFor}`),
  });
};

/** A check that holds or doesn't: counts as one. */
export const runTool = (bounds: Bounds, part: Part, program: Program, args: readonly string[]): Promise<Outcome> =>
  runPart(bounds, part, program, args, ({ code }) =>
    code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 },
  );

/**
 * Tests that count themselves: `totalsOf` reads their JSON report. A run that ends badly without a failed test (a file
 * that can't be loaded, a hook that throws) counts as one failure, and so does one that leaves no report or runs no test.
 */
const runTests = async (
  bounds: Bounds,
  part: Part,
  program: Program,
  argsFor: (reportFile: string) => readonly string[],
  totalsOf: (report: unknown) => Totals,
): Promise<Outcome> => {
  const directory = await mkdtemp(path.join(os.tmpdir(), "paygrant-report-"));
  const reportFile = path.join(directory, "report.json");
  const environment = { ...(part.environment ?? process.env), PLAYWRIGHT_JSON_OUTPUT_NAME: reportFile };
  const count = async ({ code }: Run): Promise<Totals> => {
    const text = await readFile(reportFile, "utf8").catch(() => null);
    if (text === null) return { passed: 0, failed: 1 };
    const totals = totalsOf(JSON.parse(text));
    const hasFailed = code !== 0 || totals.passed === 0;
    return hasFailed && totals.failed === 0 ? { ...totals, failed: 1 } : totals;
  };
  try {
    return await runPart(bounds, { ...part, environment }, program, argsFor(reportFile), count);
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

type VitestReport = { numPassedTests: number; numFailedTests: number };
type PlaywrightReport = { stats: { expected: number; flaky: number; unexpected: number } };

/** @param part.args which files, or all but which */
export const runVitest = (
  bounds: Bounds,
  part: Part & { project: string; args?: readonly string[] },
): Promise<Outcome> =>
  runTests(
    bounds,
    part,
    "vitest",
    (file) => [
      "run",
      `--project=${part.project}`,
      "--reporter=default",
      `--reporter=${path.join(import.meta.dirname, "failure-reporter.ts")}`,
      // A line for each file: it tells which one a run hung in. Slow tests are no news.
      "--slowTestThreshold=600000",
      "--reporter=json",
      `--outputFile.json=${file}`,
      ...(part.args ?? []),
    ],
    (report) => {
      const { numPassedTests, numFailedTests } = report as VitestReport;
      return { passed: numPassedTests, failed: numFailedTests };
    },
  );

export const runPlaywright = (bounds: Bounds, part: Part): Promise<Outcome> =>
  runTests(
    bounds,
    part,
    "playwright",
    () => ["test", "--reporter=line,json"],
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
