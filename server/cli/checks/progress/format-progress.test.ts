import { describe, expect, test } from "vitest";
import {
  formatBlock,
  formatCounts,
  formatProgressLine,
  formatRunning,
  formatTime,
  type Snapshot,
} from "./format-progress.ts";
import type { Counts } from "./part-progress.ts";

const counts = (given: Partial<Counts>): Counts => ({
  passed: 0,
  failed: 0,
  done: 0,
  found: 0,
  total: null,
  filesLoaded: 0,
  filesTotal: 69,
  ...given,
});
const database = counts({ done: 1_203, found: 2_621, total: 2_621, filesLoaded: 140, filesTotal: 140 });
const http = counts({ done: 812, found: 1_204, failed: 2, filesLoaded: 31 });

test.each([
  [0, "0:00"],
  [67.9, "1:07"],
  [3_599, "59:59"],
  [3_723, "1:02:03"],
])("formats %s seconds as %s", (seconds, text) => {
  expect(formatTime(seconds)).toBe(text);
});

describe("the tests of a part", () => {
  test.each([
    ["a tool runs no tests", null, "running"],
    ["not known yet", counts({ filesTotal: null }), "starting, number of tests not known yet"],
    ["no file is loaded yet", counts({}), "starting, number of tests not known yet"],
    ["some files are loaded", http, "812 of at least 1,204 tests done, 2 failed, 31 of 69 files loaded"],
    ["all files are loaded", database, "1,203 of 2,621 tests done"],
  ])("%s", (_, given, text) => {
    expect(formatCounts(given)).toBe(text);
  });
});

const snapshot: Snapshot = {
  seconds: 192,
  finishedTests: 3_500,
  running: [
    { name: "build", seconds: 20, counts: null },
    { name: "database", seconds: 180, counts: database },
  ],
  waiting: [],
};

describe("the whole run", () => {
  test("has a line for each part on a terminal", () => {
    expect(formatBlock(snapshot)).toEqual([
      "› build                0:20  running",
      "› database             3:00  1,203 of 2,621 tests done",
      "› all parts            3:12  4,703 of 6,122 tests done",
    ]);
  });

  test("has a single line where the output isn't a terminal", () => {
    expect(formatProgressLine(snapshot)).toBe(
      "› 3:12  4,703 of 6,122 tests done; build: running; database: 1,203 of 2,621 tests done",
    );
  });

  test("has no total while a part waits or loads its files", () => {
    expect(formatBlock({ ...snapshot, waiting: ["http", "browser"] }).at(-1)).toBe(
      "› all parts            3:12  4,703 of at least 6,122 tests done; waiting: http, browser",
    );
    const running = [{ name: "http", seconds: 60, counts: http }];
    expect(formatBlock({ ...snapshot, running }).at(-1)).toContain("4,312 of at least 4,704 tests done");
  });
});

test("names the running tests, and the files whose hooks run", () => {
  const tests = [
    { file: "e2e/http/races.test.ts", title: "races > one code, two requests", startedAt: 1_000 },
    { file: "e2e/faults/drills.test.ts", title: null, startedAt: 60_000 },
  ];
  expect(formatRunning(tests, 65_000)).toBe(
    [
      "Running at that time:",
      "  e2e/http/races.test.ts > races > one code, two requests (64 s)",
      "  e2e/faults/drills.test.ts > (loading, beforeAll or afterAll) (5 s)",
    ].join("\n"),
  );
  expect(formatRunning([], 0)).toBe("No test was running.");
});
