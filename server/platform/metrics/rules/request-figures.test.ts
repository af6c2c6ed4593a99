import { describe, expect, test } from "vitest";
import { bucketOf, noDurations } from "./durations.ts";
import { currentOf, figurePeriod, pointsOf, type Step, totalOf } from "./request-figures.ts";

const at = (time: string) => new Date(`2026-11-26T${time}Z`);
const step = (time: string, durations: readonly number[], errors = 0): Step => {
  const counts = noDurations();
  for (const duration of durations) counts[bucketOf(duration)] = (counts[bucketOf(duration)] ?? 0) + 1;
  return { at: at(time), requests: durations.length, errors, counts, processes: 2 };
};

describe("live figures (docs/spec/portal.md, Live figures)", () => {
  test("a period ends with the last step that all processes have written", () => {
    const hour = { from: at("11:30:00"), to: at("12:30:00"), stepMinutes: 1 };
    expect(figurePeriod("hour", at("12:30:05"))).toEqual(hour);
    expect(figurePeriod("hour", at("12:31:04.999"))).toEqual(hour);
    expect(figurePeriod("day", at("12:44:59"))).toEqual({
      from: new Date("2026-11-25T12:30:00Z"),
      to: at("12:30:00"),
      stepMinutes: 15,
    });
  });

  test("a step without a report is unknown, and one without requests is zero", () => {
    const period = { from: at("12:00:00"), to: at("12:03:00"), stepMinutes: 1 };
    expect(pointsOf([step("12:00:00", [15, 15], 1), step("12:02:00", [])], period)).toEqual([
      { at: at("12:00:00"), requestsPerMinute: 2, errorsPerMinute: 1, p95: 19.5 },
      { at: at("12:01:00"), requestsPerMinute: null, errorsPerMinute: null, p95: null },
      { at: at("12:02:00"), requestsPerMinute: 0, errorsPerMinute: 0, p95: null },
    ]);
  });

  test("a step of a quarter of an hour has the mean of its minutes", () => {
    const period = { from: at("12:00:00"), to: at("12:15:00"), stepMinutes: 15 };
    const durations = Array.from({ length: 40 }, () => 3);
    expect(pointsOf([step("12:00:00", durations, 3)], period)).toMatchObject([
      { requestsPerMinute: 2.7, errorsPerMinute: 0.2 },
    ]);
  });

  test("'now' is the mean of the last five minutes, without minutes in which no process reported", () => {
    const steps = [step("12:00:00", [900, 900]), step("12:06:00", [15]), step("12:08:00", [15, 15, 15], 1)];
    expect(currentOf(steps, at("12:10:00"))).toEqual({
      requests: 4,
      errors: 1,
      requestsPerMinute: 2,
      errorsPerMinute: 0.5,
      p95: 19.5,
      processes: 2,
    });
    const none = { requestsPerMinute: null, errorsPerMinute: null, p95: null, processes: 0 };
    expect(currentOf(steps, at("12:20:00"))).toMatchObject(none);
  });

  test("the 95th percentile of a period is computed from all its requests, and isn't a mean of percentiles", () => {
    const steps = [
      step(
        "12:00:00",
        Array.from({ length: 99 }, () => 15),
      ),
      step("12:01:00", [9_000]),
    ];
    expect(totalOf(steps, 1).p95).toBeLessThanOrEqual(20);
  });
});
