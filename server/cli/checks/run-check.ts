import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import os from "node:os";
import path from "node:path";
import type { CheckRun } from "./bounds.ts";
import type { ProgressEvent } from "./progress/event.ts";
import { formatFailures, formatRunning, noTest } from "./progress/format-progress.ts";
import type { Outcome } from "./progress/outcome.ts";
import type { Failure, PartProgress } from "./progress/part-progress.ts";
import { type ProgramResult, runProgram } from "./run-program.ts";

const root = path.resolve(import.meta.dirname, "../../..");
const require = createRequire(import.meta.url);
const installed = (file: string) => path.join(root, "node_modules", file);
export const programs = {
  // TypeScript 7 takes half the CPU time of version 6, whose JavaScript API the rules about code need.
  tsc: installed("typescript-native/bin/tsc"),
  biome: require.resolve("@biomejs/biome/bin/biome"),
  depcruise: installed("dependency-cruiser/bin/dependency-cruiser.mjs"),
  knip: installed("knip/bin/knip.js"),
  vitest: installed("vitest/vitest.mjs"),
  playwright: installed("@playwright/test/cli.js"),
  build: path.join(root, "server/cli/build.ts"),
  limits: path.join(root, "server/cli/limits.ts"),
} as const;
type ProgramName = keyof typeof programs;

/** One part of a command, with the longest time that it may take. */
export type Part = { name: string; seconds: number; environment?: NodeJS.ProcessEnv };

type Totals = { passed: number; failed: number };

/** Prints the outcome and adds it to the progress. */
export const report = ({ progress }: CheckRun, outcome: Outcome): Outcome => {
  progress.finish(outcome);
  return outcome;
};

/** The failures of a part that was stopped. Running tests count as failed. Tests that had not started don't count. */
const failuresOfEnded = (part: PartProgress): Failure[] => {
  const running = part
    .running()
    .map(({ file, title }) => ({ file, title: title ?? noTest, error: "was still running" }));
  // A test that is repeated has failed before.
  const isRunning = ({ file, title }: Failure) => running.some((one) => one.file === file && one.title === title);
  return [...part.failures().filter((failure) => !isRunning(failure)), ...running];
};

/** A part that was stopped has at least one failure. */
const totalsOfEnded = (part: PartProgress): Totals => ({
  passed: part.counts().passed,
  failed: Math.max(1, failuresOfEnded(part).length),
});

const describeEnd = (part: PartProgress, reason: string, hasTests: boolean): string => {
  const running = hasTests ? `\n${formatRunning(part.running(), performance.now())}` : "";
  return `${formatFailures(part.failures())}${part.name} was ended: ${reason}.${running}`;
};

type PartRun = {
  part: Part;
  program: ProgramName;
  args: readonly string[];
  /** counts the tests of a run that was not ended early */
  count: (result: ProgramResult) => Totals | Promise<Totals>;
};

const runPart = async (run: CheckRun, kind: "tool" | "tests", { part, program, args, count }: PartRun) => {
  const { name, seconds, environment = process.env } = part;
  const progress = run.progress.begin(name, kind);
  const hasTests = kind === "tests";
  const onMessage = (message: unknown) => progress.apply(message as ProgressEvent);
  const result = await runProgram(run, {
    args: [programs[program], ...args],
    environment,
    seconds,
    ...(hasTests ? { onMessage } : {}),
  });
  const totals = result.endedBecause === null ? await count(result) : totalsOfEnded(progress);
  const end = result.endedBecause === null ? "" : describeEnd(progress, result.endedBecause, hasTests);
  return report(run, {
    name,
    passed: totals.passed,
    failed: totals.failed,
    seconds: (performance.now() - progress.startedAt) / 1000,
    // A person who stops the run doesn't want the output of each part.
    output: run.stopped.aborted ? end : `${result.output}\n${end}`,
    failures: result.endedBecause === null ? progress.failures() : failuresOfEnded(progress),
    recovered: progress.recovered(),
  });
};

/** A check that passes or fails: it counts as one test. */
export const runTool = (
  run: CheckRun,
  part: Part,
  [program, ...args]: readonly [ProgramName, ...string[]],
): Promise<Outcome> =>
  runPart(run, "tool", {
    part,
    program,
    args,
    count: ({ code }) => (code === 0 ? { passed: 1, failed: 0 } : { passed: 0, failed: 1 }),
  });

type TestRun = {
  part: Part;
  program: ProgramName;
  argsFor: (reportFile: string) => readonly string[];
  /** reads the JSON report */
  totalsOf: (report: unknown) => Totals;
};

/**
 * Runs tests that write a JSON report. A run counts as one failure if it fails without a failed test (for example a
 * file that can't be loaded, or a hook that throws), writes no report or runs no test.
 */
const runTests = async (run: CheckRun, { part, program, argsFor, totalsOf }: TestRun): Promise<Outcome> => {
  const directory = await mkdtemp(path.join(os.tmpdir(), "paygrant-report-"));
  const reportFile = path.join(directory, "report.json");
  const environment = { ...(part.environment ?? process.env), PLAYWRIGHT_JSON_OUTPUT_NAME: reportFile };
  const count = async ({ code }: ProgramResult): Promise<Totals> => {
    const text = await readFile(reportFile, "utf8").catch(() => null);
    if (text === null) return { passed: 0, failed: 1 };
    const totals = totalsOf(JSON.parse(text));
    const hasFailed = code !== 0 || totals.passed === 0;
    return hasFailed && totals.failed === 0 ? { ...totals, failed: 1 } : totals;
  };
  try {
    return await runPart(run, "tests", { part: { ...part, environment }, program, args: argsFor(reportFile), count });
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
};

const reporter = (file: string) => path.join(import.meta.dirname, file);

type VitestReport = { numPassedTests: number; numFailedTests: number };

/** @param part.args which files to run or to leave out */
export const runVitest = (
  run: CheckRun,
  part: Part & { project: string; args?: readonly string[] },
): Promise<Outcome> =>
  runTests(run, {
    part,
    program: "vitest",
    argsFor: (file) => [
      "run",
      `--project=${part.project}`,
      // Prints failed tests only.
      "--reporter=minimal",
      `--reporter=${reporter("progress/vitest-reporter.ts")}`,
      // Prints no line for a slow test.
      "--slowTestThreshold=600000",
      "--reporter=json",
      `--outputFile.json=${file}`,
      ...(part.args ?? []),
    ],
    totalsOf: (report) => {
      const { numPassedTests, numFailedTests } = report as VitestReport;
      return { passed: numPassedTests, failed: numFailedTests };
    },
  });

type PlaywrightReport = { stats: { expected: number; flaky: number; unexpected: number } };

/** @param part.args which files to run */
export const runPlaywright = (run: CheckRun, part: Part & { args?: readonly string[] }): Promise<Outcome> =>
  runTests(run, {
    part,
    program: "playwright",
    argsFor: () => [
      "test",
      // Prints failed tests at the end, with their errors.
      `--reporter=dot,json,${reporter("progress/playwright-reporter.ts")}`,
      ...(part.args ?? []),
    ],
    totalsOf: (report) => {
      const { stats } = report as PlaywrightReport;
      return { passed: stats.expected + stats.flaky, failed: stats.unexpected };
    },
  });
