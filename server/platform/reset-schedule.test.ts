import { describe, expect, test } from "vitest";
import { cronOf, isLongAgo, isTooLate, nextReset, parseResetSchedule } from "./reset-schedule.ts";

const sunday = { weekday: 0, hour: 3, minute: 0 };

describe("the reset schedule (docs/spec/sandbox.md, Reset)", () => {
  test("is Sunday 03:00 by default", () => {
    expect(parseResetSchedule("")).toEqual(sunday);
    expect(parseResetSchedule("sun 03:00")).toEqual(sunday);
    expect(parseResetSchedule("wed 23:59")).toEqual({ weekday: 3, hour: 23, minute: 59 });
    expect(parseResetSchedule("off")).toBeNull();
  });

  test.each(["never", "Sun 03:00", "sun 24:00", "sun 3:00", "sun 03:60", "son 03:00", "0 3 * * 0", "sun 03:00 "])(
    "refuses %s",
    (text) => {
      expect(() => parseResetSchedule(text)).toThrow(/must be a weekday and a time/);
    },
  );

  test("converts to a schedule of pg-boss", () => {
    expect(cronOf(sunday)).toBe("0 3 * * 0");
    expect(cronOf({ weekday: 6, hour: 23, minute: 59 })).toBe("59 23 * * 6");
  });

  test.each([
    ["2026-11-21T12:00:00Z", "2026-11-22T03:00:00.000Z"],
    ["2026-11-22T02:59:59.999Z", "2026-11-22T03:00:00.000Z"],
    ["2026-11-22T03:00:00Z", "2026-11-29T03:00:00.000Z"],
    ["2026-11-22T12:00:00Z", "2026-11-29T03:00:00.000Z"],
    ["2026-12-28T12:00:00Z", "2027-01-03T03:00:00.000Z"],
  ])("the next reset after %s is %s", (now, next) => {
    expect(nextReset(sunday, new Date(now)).toISOString()).toBe(next);
  });
});

test.each([
  ["2026-11-22T03:00:00Z", false],
  ["2026-11-22T03:15:00Z", false],
  ["2026-11-22T03:15:01Z", true],
  ["2026-11-22T02:59:59Z", true],
])("a reset that is announced for Sunday 03:00 can start until 03:15 (at %s, too late: %s)", (now, late) => {
  expect(isTooLate({ weekday: 0, hour: 3, minute: 0 }, new Date(now))).toBe(late);
});

test.each([
  ["2026-11-22T09:00:00Z", false],
  ["2026-11-22T09:00:01Z", true],
])("a skipped reset isn't reported after more than six hours (at %s, long ago: %s)", (now, long) => {
  expect(isLongAgo({ weekday: 0, hour: 3, minute: 0 }, new Date(now))).toBe(long);
});
