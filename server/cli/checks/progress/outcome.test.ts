import { expect, test } from "vitest";
import { formatFailedTests, type Outcome } from "./outcome.ts";

const outcomeOf = (values: Partial<Outcome>): Outcome => ({
  name: "lint",
  passed: 1,
  failed: 0,
  seconds: 1,
  output: "",
  ...values,
});

test("the failed tests of all parts are listed with the first line of their errors", () => {
  const failures = [{ file: "a.test.ts", title: "one", error: "expected 1\n    at a.test.ts:3:1" }];
  const outcomes = [
    outcomeOf({}),
    outcomeOf({ name: "types", failed: 1 }),
    outcomeOf({ name: "database", failed: 1, failures }),
  ];
  expect(formatFailedTests(outcomes)).toBe("\nFailed:\ntypes\ndatabase\n  a.test.ts > one\n    expected 1\n\n");
  expect(formatFailedTests(outcomes.slice(0, 1))).toBe("");
});

test("the tests that passed after a failure are listed before the failed tests", () => {
  const recovered = [{ file: "a.spec.ts", title: "one", error: "timed out" }];
  const outcomes = [outcomeOf({ name: "browser", recovered }), outcomeOf({ name: "types", failed: 1 })];
  expect(formatFailedTests(outcomes)).toBe(
    "\nPassed after a failure:\nbrowser\n  a.spec.ts > one\n    timed out\n\n\nFailed:\ntypes\n\n",
  );
});
