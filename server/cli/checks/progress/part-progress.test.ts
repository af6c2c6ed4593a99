import { expect, test } from "vitest";
import type { ProgressEvent } from "./event.ts";
import { formatFailures } from "./format-progress.ts";
import { createPartProgress } from "./part-progress.ts";

const partAfter = (...events: ProgressEvent[]) => {
  const part = createPartProgress("http");
  for (const event of events) part.apply(event);
  return part;
};
const started = (id: string, file = "a.test.ts"): ProgressEvent => ({ kind: "testStarted", id, file, title: id });

test("the total is known once every file has loaded or failed to load", () => {
  const events: ProgressEvent[] = [
    { kind: "filesFound", total: 2 },
    { kind: "fileLoaded", file: "a.test.ts", tests: 3 },
  ];
  expect(partAfter(...events).counts()).toMatchObject({ found: 3, total: null, filesLoaded: 1, filesTotal: 2 });
  expect(partAfter(...events, { kind: "fileFinished", file: "b.test.ts" }).counts()).toMatchObject({ total: 3 });
});

test("a test that is retried counts once, by its last result", () => {
  const part = partAfter(
    started("one"),
    { kind: "testFinished", id: "one", result: "failed" },
    started("one"),
    { kind: "testFinished", id: "one", result: "passed" },
    { kind: "testFinished", id: "two", result: "skipped" },
  );
  expect(part.counts()).toMatchObject({ passed: 1, failed: 0, done: 2 });
});

test("the errors of failed tests are kept; a test that passes when it is retried is listed separately", () => {
  const part = partAfter(
    started("one"),
    { kind: "testFinished", id: "one", result: "failed", error: "expected 1" },
    started("two"),
    { kind: "testFinished", id: "two", result: "failed", error: "expected 2" },
    started("two"),
    { kind: "testFinished", id: "two", result: "passed" },
  );
  expect(formatFailures(part.failures())).toBe("failed: a.test.ts > one\nexpected 1\n");
  expect(part.recovered()).toMatchObject([{ file: "a.test.ts", title: "two", error: "expected 2" }]);
});

test("a started file is listed as running, even between its tests", () => {
  const file = "a.test.ts";
  const part = partAfter({ kind: "fileStarted", file });
  expect(part.running()).toMatchObject([{ file, title: null }]);
  part.apply(started("one"));
  expect(part.running()).toMatchObject([{ file, title: "one" }]);
  part.apply({ kind: "testFinished", id: "one", result: "passed" });
  expect(part.running()).toMatchObject([{ file, title: null }]);
  part.apply({ kind: "fileFinished", file });
  expect(part.running()).toEqual([]);
});
