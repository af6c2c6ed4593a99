import type { Reporter, TestCase, TestModule, TestSpecification } from "vitest/node";
import { sendEvent, type TestOutcome } from "./event.ts";

const resultOf = (test: TestCase): TestOutcome => {
  const { state } = test.result();
  return state === "pending" ? "skipped" : state;
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
    sendEvent({ kind: "testFinished", id: test.id, result: resultOf(test) });
  }
}
