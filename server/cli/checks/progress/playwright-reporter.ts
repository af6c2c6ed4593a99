import path from "node:path";
import { stripVTControlCharacters } from "node:util";
import type { FullConfig, Reporter, Suite, TestCase, TestResult } from "@playwright/test/reporter";
import { sendEvent, type TestOutcome } from "./event.ts";

const fileOf = (test: TestCase): string => path.relative(process.cwd(), test.location.file);

/** The first titles are of the root, the project and the file. */
const titleOf = (test: TestCase): string => test.titlePath().slice(3).join(" > ");

const results: Readonly<Record<ReturnType<TestCase["outcome"]>, TestOutcome>> = {
  expected: "passed",
  flaky: "passed",
  unexpected: "failed",
  skipped: "skipped",
};

/** Reports which tests Playwright has found, started and finished. */
export default class PlaywrightReporter implements Reporter {
  onBegin(_config: FullConfig, suite: Suite): void {
    const files = Map.groupBy(suite.allTests(), fileOf);
    sendEvent({ kind: "filesFound", total: files.size });
    for (const [file, tests] of files) sendEvent({ kind: "fileLoaded", file, tests: tests.length });
  }

  onTestBegin(test: TestCase): void {
    sendEvent({ kind: "testStarted", id: test.id, file: fileOf(test), title: titleOf(test) });
  }

  onTestEnd(test: TestCase, { errors }: TestResult): void {
    const error = stripVTControlCharacters(errors.map(({ stack, message }) => stack ?? message).join("\n"));
    sendEvent({ kind: "testFinished", id: test.id, result: results[test.outcome()], ...(error ? { error } : {}) });
  }

  printsToStdio(): boolean {
    return false;
  }
}
