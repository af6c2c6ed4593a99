import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { periodOf, periodProblem, wholeHours, wholeMinutes } from "./usage-period.ts";

const at = (text: string) => new Date(text);
const now = at("2026-11-21T10:15:00.123Z");

describe("the requested period", () => {
  test.each([
    ["defaults to the current UTC month so far", null, null, "2026-11-01T00:00:00Z", now.toISOString()],
    [
      "with an end only: its month up to the end",
      null,
      "2026-03-15T12:00:00Z",
      "2026-03-01T00:00:00Z",
      "2026-03-15T12:00:00Z",
    ],
    ["with a start only: until now", "2026-11-20T00:00:00Z", null, "2026-11-20T00:00:00Z", now.toISOString()],
    [
      "is empty at the first instant of a month",
      null,
      "2026-11-01T00:00:00Z",
      "2026-11-01T00:00:00Z",
      "2026-11-01T00:00:00Z",
    ],
  ])("%s", (_name, from, to, begins, ends) => {
    const period = periodOf({ from: from === null ? null : at(from), to: to === null ? null : at(to) }, now);
    expect(period).toEqual({ from: at(begins), to: at(ends) });
    expect(periodProblem(period)).toBeNull();
  });

  test("is at most 366 days long and ends after its start", () => {
    const instant = fc.date({ min: at("2025-01-01T00:00:00Z"), max: at("2029-01-01T00:00:00Z"), noInvalidDate: true });
    fc.assert(
      fc.property(instant, instant, (from, to) => {
        const days = (to.getTime() - from.getTime()) / (24 * 3600 * 1000);
        expect(periodProblem({ from, to }) === null).toBe(days >= 0 && days <= 366);
      }),
    );
  });
});

describe("the full hours within a period", () => {
  test.each([
    ["all of it", "10:00:00Z", "12:00:00Z", "10:00:00Z", "12:00:00Z"],
    ["none of an hour and a part of the next", "10:00:00.001Z", "11:59:59.999Z", null, null],
    ["those between", "10:00:00.001Z", "13:59:59.999Z", "11:00:00Z", "13:00:00Z"],
    ["none of nothing", "10:30:00Z", "10:30:00Z", null, null],
  ])("%s", (_name, from, to, begins, ends) => {
    const day = (time: string) => at(`2026-11-20T${time}`);
    const empty = { from: day(from), to: day(from) };
    const expected = begins === null || ends === null ? empty : { from: day(begins), to: day(ends) };
    expect(wholeHours({ from: day(from), to: day(to) })).toEqual(expected);
  });
});

test("full minutes work like full hours", () => {
  const period = { from: at("2026-11-21T10:00:00.001Z"), to: at("2026-11-21T10:02:59.999Z") };
  expect(wholeMinutes(period)).toEqual({ from: at("2026-11-21T10:01:00Z"), to: at("2026-11-21T10:02:00Z") });
  expect(wholeMinutes({ from: period.from, to: period.from })).toEqual({ from: period.from, to: period.from });
});
