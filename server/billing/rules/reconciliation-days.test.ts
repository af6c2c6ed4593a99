import { expect, test } from "vitest";
import { comparableUntil, lastComparison, nextComparison, toRanges, withDeadlines } from "./reconciliation-days.ts";

const day = (text: string) => new Date(`${text}T00:00:00Z`);
const at = (text: string) => new Date(`${text}Z`);

test.each([
  ["2026-11-26T00:59:59", "2026-11-25", "2026-11-26T01:00:00"],
  ["2026-11-26T01:00:00", "2026-11-26", "2026-11-27T01:00:00"],
  ["2026-11-26T23:59:59", "2026-11-26", "2026-11-27T01:00:00"],
])(
  "a day can be compared one hour after its end: at %s, all days before %s can be compared, and at %s one more day (docs/spec/billing.md, Reconciliation)",
  (now, until, next) => {
    expect([comparableUntil(at(now)), nextComparison(at(now))]).toEqual([day(until), at(next)]);
  },
);

test.each([
  ["2026-11-01T00:00:00", "2026-11-01T01:00:00"],
  ["2026-10-31T23:00:00", "2026-11-01T01:00:00"],
  ["2026-11-01T00:30:00", "2026-11-02T01:00:00"],
])("the last day of a period that ends at %s can be compared at %s", (to, last) => {
  expect(lastComparison({ to: at(to) })).toEqual(at(last));
});

test("consecutive days are compared together, up to a maximum number of days", () => {
  const days = ["2026-11-05", "2026-11-01", "2026-11-02", "2026-11-03", "2026-11-02"].map(day);
  const ranges = (maxDays: number) =>
    toRanges({ days, maxDays }).map(({ from, to }) =>
      [from, to].map((one) => one.toISOString().slice(8, 10)).join("-"),
    );
  expect(ranges(1)).toEqual(["01-02", "02-03", "03-04", "05-06"]);
  expect(ranges(2)).toEqual(["01-03", "03-04", "05-06"]);
  expect(ranges(31)).toEqual(["01-04", "05-06"]);
});

test("with each new day, the earlier day whose deadline for late events has passed is compared again (docs/spec/billing.md, Reconciliation)", () => {
  const found = [
    { day: day("2026-11-24"), isMissing: false },
    { day: day("2026-11-25"), isMissing: true },
  ];
  expect(withDeadlines(found, 35)).toEqual([day("2026-11-24"), day("2026-11-25"), day("2026-10-20")]);
});
