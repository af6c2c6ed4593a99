import { stripVTControlCharacters } from "node:util";
import type { Reporter, TestCase, TestModule, TestSpecification } from "vitest/node";
import { sendEvent, type TestOutcome } from "./event.ts";

const resultOf = (test: TestCase): TestOutcome => {
  const { state } = test.result();
  return state === "pending" ? "skipped" : state;
};

const isOwnFrame = (line: string): boolean => /^\s+at /.test(line) && !line.includes("node_modules");

const errorOf = (test: TestCase): string => {
  const { errors = [] } = test.result();
  const lines = errors.flatMap(({ message, diff, stack = "" }) => [
    message,
    ...(diff ? [diff] : []),
    ...stack.split("\n").filter(isOwnFrame),
  ]);
  return stripVTControlCharacters(lines.join("\n"));
};

/** Reports which tests Vitest has found, started and finished. */
export default class VitestReporter implements Reporter {
  onTestRunStart(files: readonly TestSpecification[]): void {
    sendEvent({ kind: "filesFound", total: files.length });
  }

  onTestModuleQueued({ relativeModuleId: file }: TestModule): void {
    sendEvent({ kind: "fileStarted", file });
  }

  onTestModuleCollected({ relativeModuleId: file, children }: TestModule): void {
    sendEvent({ kind: "fileLoaded", file, tests: [...children.allTests()].length });
  }

  onTestModuleEnd({ relativeModuleId: file }: TestModule): void {
    sendEvent({ kind: "fileFinished", file });
  }

  onTestCaseReady({ id, fullName: title, module }: TestCase): void {
    sendEvent({ kind: "testStarted", id, file: module.relativeModuleId, title });
  }

  onTestCaseResult(test: TestCase): void {
    const error = errorOf(test);
    sendEvent({ kind: "testFinished", id: test.id, result: resultOf(test), ...(error ? { error } : {}) });
  }
}
