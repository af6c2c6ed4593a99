import { expect, test } from "vitest";
import { daysToReconcile } from "./days-to-reconcile.ts";

const day = (text: string) => new Date(`${text}T00:00:00Z`);
const now = new Date("2026-11-26T02:15:00Z");
const days = (last: string | null, at = now) =>
  daysToReconcile({ last: last === null ? null : day(last), now: at, acceptedDays: 35 }).map((each) =>
    each.toISOString().slice(0, 10),
  );

test.each([
  ["the first run compares yesterday", null, ["2026-10-20", "2026-11-25"]],
  ["a daily run compares yesterday", "2026-11-24", ["2026-10-20", "2026-11-25"]],
  ["missed days are compared too", "2026-11-22", ["2026-10-20", "2026-11-23", "2026-11-24", "2026-11-25"]],
  ["a second run on the same day doesn't compare yesterday again", "2026-11-25", ["2026-10-20"]],
])(
  "%s, and every run compares the latest day for which events are no longer accepted (docs/spec/billing.md, Reconciliation)",
  (_title, last, expected) => {
    expect(days(last)).toEqual(expected);
  },
);

test("a long gap is limited to 62 days (docs/spec/billing.md, Reconciliation)", () => {
  expect(days("2024-01-01")).toHaveLength(62);
  expect(days("2024-01-01").at(-1)).toBe("2026-11-25");
});
