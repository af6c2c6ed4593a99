import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { dividedUnits, divideIntoWindows, type UsageWindow, usageWindowProblem } from "./usage-windows.ts";

const at = (text: string) => new Date(text);
const startsOf = (from: string, to: string, options: { window: UsageWindow; timeZone: string }) =>
  divideIntoWindows({ from: at(from), to: at(to) }, options).map((one) => one.from.toISOString());

describe("windows of a period (docs/spec/billing.md, Usage)", () => {
  test("days start at local midnight, even when clocks change", () => {
    const berlin = { window: "day", timeZone: "Europe/Berlin" } as const;
    expect(startsOf("2026-10-24T22:00:00Z", "2026-10-26T23:00:00Z", berlin)).toEqual([
      "2026-10-24T22:00:00.000Z",
      "2026-10-25T23:00:00.000Z",
    ]);
  });

  test("a day on which clocks go back has 25 hours, and a day on which clocks go forward has 23", () => {
    const berlin = { window: "hour", timeZone: "Europe/Berlin" } as const;
    expect(startsOf("2026-10-24T22:00:00Z", "2026-10-25T23:00:00Z", berlin)).toHaveLength(25);
    expect(startsOf("2026-03-28T23:00:00Z", "2026-03-29T22:00:00Z", berlin)).toHaveLength(23);
  });

  test("hours start at full local hours, and months on their first day", () => {
    const kolkata = (window: UsageWindow) => ({ window, timeZone: "Asia/Kolkata" });
    expect(startsOf("2026-11-01T10:00:00Z", "2026-11-01T11:40:00Z", kolkata("hour"))).toEqual([
      "2026-11-01T10:00:00.000Z",
      "2026-11-01T10:30:00.000Z",
      "2026-11-01T11:30:00.000Z",
    ]);
    expect(startsOf("2026-01-31T20:00:00Z", "2026-03-01T00:00:00Z", kolkata("month"))).toEqual([
      "2026-01-31T20:00:00.000Z",
      "2026-02-28T18:30:00.000Z",
    ]);
  });

  test("cover the period without gaps, for any period and time zone", () => {
    const instant = fc.date({ min: at("2026-01-01T00:00:00Z"), max: at("2026-12-31T00:00:00Z"), noInvalidDate: true });
    const timeZone = fc.constantFrom(
      "UTC",
      "Europe/Berlin",
      "Asia/Kolkata",
      "America/Sao_Paulo",
      "Australia/Lord_Howe",
    );
    fc.assert(
      fc.property(instant, fc.nat(20 * 24 * 3_600_000), timeZone, (from, length, zone) => {
        const to = new Date(from.getTime() + length);
        for (const window of ["hour", "day", "month"] as const) {
          const windows = divideIntoWindows({ from, to }, { window, timeZone: zone });
          const bounds = [from, ...windows.map((one) => one.to)];
          expect(windows.map((one) => one.from)).toEqual(bounds.slice(0, -1));
          expect(bounds.at(-1)).toEqual(to);
        }
      }),
      { numRuns: 40 },
    );
  });

  test("hourly windows are allowed for at most 31 days", () => {
    const from = at("2026-01-01T00:00:00Z");
    expect(usageWindowProblem({ from, to: at("2026-02-01T00:00:00Z") }, "hour")).toBeNull();
    expect(usageWindowProblem({ from, to: at("2026-02-01T00:00:01Z") }, "hour")).toMatch(/at most 31 days/);
    expect(usageWindowProblem({ from, to: at("2027-01-01T00:00:00Z") }, "day")).toBeNull();
  });

  test("a bound within an hour or minute divides that hour or minute", () => {
    const bounds = [at("2026-11-01T10:00:00Z"), at("2026-11-01T10:30:00Z"), at("2026-11-01T10:45:10Z")];
    expect(dividedUnits(bounds, "hour")).toEqual([at("2026-11-01T10:00:00Z")]);
    expect(dividedUnits(bounds, "minute")).toEqual([at("2026-11-01T10:45:00Z")]);
  });
});
