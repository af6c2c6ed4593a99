import type { Reporter, TestCase } from "vitest/node";

const isOwnFrame = (line: string): boolean => /^\s+at /.test(line) && !line.includes("node_modules");

/**
 * Prints each failure when it happens. The default reporter prints failures after the last test. If the run ends early,
 * it prints none.
 */
export default class FailureReporter implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result();
    if (state !== "failed") return;
    const lines = errors.flatMap(({ message, diff, stack = "" }) => [
      message,
      ...(diff ? [diff] : []),
      ...stack.split("\n").filter(isOwnFrame),
    ]);
    process.stdout.write(`failed: ${test.fullName}\n${lines.join("\n")}\n`);
  }
}
