import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { periodOf, periodProblem } from "./usage-period.ts";

const at = (text: string) => new Date(text);
const now = at("2026-11-21T10:15:00.123Z");

describe("the requested period", () => {
  test.each([
    ["defaults to the current UTC month so far", null, null, "2026-11-01T00:00:00Z", now.toISOString()],
    [
      "begins at the start of the month if only an end is given",
      null,
      "2026-03-15T12:00:00Z",
      "2026-03-01T00:00:00Z",
      "2026-03-15T12:00:00Z",
    ],
    ["ends now if only a start is given", "2026-11-20T00:00:00Z", null, "2026-11-20T00:00:00Z", now.toISOString()],
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

  test.each([
    ["0000-01-01T00:00:00Z", "0000-02-01T00:00:00Z", "#from"],
    ["1969-12-31T23:59:59.999Z", "1970-01-02T00:00:00Z", "#from"],
    ["9999-12-31T00:00:00Z", "9999-12-31T23:59:59-23:59", "#to"],
  ])("%s to %s is refused: PostgreSQL can't read all years", (from, to, pointer) => {
    expect(periodProblem({ from: at(from), to: at(to) })).toMatchObject({ pointer });
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

test("the month starts at local midnight of the time zone", () => {
  const nothing = { from: null, to: null };
  expect(periodOf(nothing, now, "Europe/Berlin").from).toEqual(at("2026-10-31T23:00:00Z"));
  expect(periodOf(nothing, at("2026-11-01T00:30:00Z"), "America/New_York").from).toEqual(at("2026-10-01T04:00:00Z"));
});
