import type { Reporter, TestCase } from "vitest/node";

/** Tells each failure as it happens: the default reporter tells them behind the last test, which a run that is ended never reaches. */
export default class TellFailures implements Reporter {
  onTestCaseResult(test: TestCase): void {
    const { state, errors = [] } = test.result();
    if (state !== "failed") return;
    const isOwn = (line: string) => /^\s+at /.test(line) && !line.includes("node_modules");
    const lines = errors.flatMap(({ message, diff, stack = "" }) => [
      message,
      ...(diff ? [diff] : []),
      ...stack.split("\n").filter(isOwn),
    ]);
    process.stdout.write(`failed: ${test.fullName}\n${lines.join("\n")}\n`);
  }
}
