import { expect, test } from "vitest";
import { rangePresets, readDateRange } from "./date-range.ts";

test("a range includes both days in the reader's zone", () => {
  const { start, end, problem } = readDateRange({ from: "2026-11-01", to: "2026-11-02" }, "Europe/Berlin");
  expect([start?.toISOString(), end?.toISOString(), problem]).toEqual([
    "2026-10-31T23:00:00.000Z",
    "2026-11-02T23:00:00.000Z",
    null,
  ]);
});

test("a range can be open at each end", () => {
  expect(readDateRange({ to: "2026-11-02" }, "UTC")).toMatchObject({ start: undefined, problem: null });
  expect(readDateRange({ from: "2026-11-02" }, "UTC")).toMatchObject({ end: undefined, problem: null });
  expect(readDateRange({}, "UTC")).toEqual({
    from: undefined,
    to: undefined,
    start: undefined,
    end: undefined,
    problem: null,
  });
});

test.each([
  [{ from: "2026-02-30" }, "invalid"],
  [{ from: "yesterday" }, "invalid"],
  [{ from: "0000-12-31" }, "invalid"],
  [{ from: "2026-11-02", to: "2026-11-01" }, "reversed"],
] as const)("the range of %j keeps the entered dates and reports the problem %j", (params, problem) => {
  const range = readDateRange(params, "UTC");
  expect(range).toMatchObject({ from: params.from, start: undefined, end: undefined, problem });
});

test("presets end today in the reader's zone", () => {
  const presets = rangePresets(new Date("2026-11-30T23:30:00Z"), "Europe/Berlin");
  expect(presets.map(({ from, to }) => [from, to])).toEqual([
    ["2026-12-01", "2026-12-01"],
    ["2026-11-25", "2026-12-01"],
    ["2026-11-02", "2026-12-01"],
    ["2026-12-01", "2026-12-01"],
  ]);
});
