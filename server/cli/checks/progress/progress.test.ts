import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createProgress } from "./progress.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const createOutput = (isTTY: boolean, columns = 60) => {
  const written: string[] = [];
  return { isTTY, columns, rows: 24, written, write: (text: string) => written.push(text) };
};

const escapeSequence = "\u001b[";

/** The screen after `written`. A text may begin with `ESC [ n A ESC [ J`, which deletes the last n lines. */
const screenOf = (written: readonly string[]): string[] => {
  const lines: string[] = [];
  for (const text of written) {
    const [controls = "", rest] = text.startsWith(escapeSequence) ? text.split(`\r${escapeSequence}J`) : ["", text];
    lines.splice(lines.length - Number(/\d+/.exec(controls)?.[0] ?? 0));
    lines.push(...(rest ?? "").split("\n").slice(0, -1));
  }
  return lines;
};

const outcome = { name: "lint", passed: 1, failed: 0, seconds: 4.2, output: "" };

test("a terminal shows the running parts below the outcomes, redrawn in place", () => {
  const output = createOutput(true);
  const progress = createProgress(["lint", "rules"], output);
  progress.begin("lint", "tool");
  const rules = progress.begin("rules", "tests");
  vi.advanceTimersByTime(5_000);
  expect(screenOf(output.written)).toEqual([
    "› lint                 0:05  running",
    "› rules                0:05  starting, number of tests not ",
    "› all parts            0:05  0 of at least 1 tests done",
  ]);
  progress.finish(outcome);
  rules.apply({ kind: "filesFound", total: 1 });
  rules.apply({ kind: "fileLoaded", file: "a.test.ts", tests: 2 });
  rules.apply({ kind: "testFinished", id: "one", result: "passed" });
  vi.advanceTimersByTime(1_000);
  expect(screenOf(output.written)).toEqual([
    "✓ lint                4.2 s  1 passed",
    "› rules                0:06  1 of 2 tests done",
    "› all parts            0:06  2 of 3 tests done",
  ]);
  progress.close();
  vi.advanceTimersByTime(10_000);
  expect(screenOf(output.written)).toEqual(["✓ lint                4.2 s  1 passed"]);
});

test("a file or a pipe gets a line each minute", () => {
  const output = createOutput(false);
  const progress = createProgress(["lint", "rules"], output);
  progress.begin("lint", "tool");
  vi.advanceTimersByTime(59_000);
  expect(output.written).toEqual([]);
  vi.advanceTimersByTime(61_000);
  expect(output.written).toEqual([
    "› 1:00  0 of at least 1 tests done; lint: running; waiting: rules\n",
    "› 2:00  0 of at least 1 tests done; lint: running; waiting: rules\n",
  ]);
  progress.close();
});
