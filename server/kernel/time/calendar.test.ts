import { expect, test } from "vitest";
import { addDays, dayIn, startOfDay } from "./calendar.ts";

test.each([
  ["Europe/Berlin", "2026-11-26", "2026-11-25T23:00:00.000Z"],
  ["America/Los_Angeles", "2026-11-26", "2026-11-26T08:00:00.000Z"],
  // Daylight saving time began at midnight, so the day started at 01:00.
  ["America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00.000Z"],
])("finds the first instant of a day in %s", (timeZone, day, instant) => {
  expect(startOfDay(day, timeZone)?.toISOString()).toBe(instant);
  expect(dayIn(timeZone, new Date(instant))).toBe(day);
});

test.each(["2026-02-30", "2026-13-01", "26-01-01", "", "2026-01-01T00:00"])("%j isn't a valid day", (day) => {
  expect(startOfDay(day, "UTC")).toBeNull();
});

test("adds days across the end of a month", () => {
  expect(addDays("2026-03-01", -1)).toBe("2026-02-28");
});
