import { describe, expect, test } from "vitest";
import { addCheck, type HealthDay, lastDays, secondsToNextCheck, uptimeOf } from "./health.ts";

const start = Date.UTC(2026, 10, 1);
const hour = 3_600_000;
const at = (hours: number) => new Date(start + hours * hour);

/** Adds a check for each hour; `isUp` decides whether the check of an hour succeeded. */
const checkHourly = (hours: number, isUp: (hour: number) => boolean): HealthDay[] => {
  let days: HealthDay[] = [];
  let failures = 0;
  for (let now = 0; now < hours; now += 1) {
    failures = isUp(now) ? 0 : failures + 1;
    days = addCheck(days, { at: at(now), failures, latencyMs: 20 });
  }
  return days;
};

describe("the health of a participant", () => {
  test("uptime is the share of the last 30 days' checks, rounded down", () => {
    expect(uptimeOf([], at(0))).toBeNull();
    expect(
      uptimeOf(
        checkHourly(48, () => true),
        at(47),
      ),
    ).toBe("100.000");
    expect(
      uptimeOf(
        checkHourly(720, (now) => now !== 100),
        at(719),
      ),
    ).toBe("99.861");
  });

  test("30 days are kept, and an older outage no longer counts", () => {
    const days = checkHourly(31 * 24, (now) => now >= 24);
    expect([days.length, days[0]?.day, days.at(-1)?.day]).toEqual([30, "2026-11-02", "2026-12-01"]);
    expect(uptimeOf(days, at(31 * 24 - 1))).toBe("100.000");
    expect(uptimeOf(days, at(90 * 24))).toBeNull();
  });

  test("a failed check counts for all hours until the next check", () => {
    const first = addCheck([], { at: at(0), failures: 24, latencyMs: 0 });
    expect(addCheck(first, { at: at(6), failures: 0, latencyMs: 30 })).toEqual([
      { day: "2026-11-01", up: 1, down: 6, latencySumMs: 30 },
    ]);
  });

  test("each of the last 30 days is listed, with zeros if it has no check", () => {
    const days = lastDays(
      checkHourly(24, () => true),
      at(24),
    );
    expect(days).toHaveLength(30);
    expect(days.slice(-2)).toEqual([
      { day: "2026-11-01", up: 24, down: 0, latencySumMs: 480 },
      { day: "2026-11-02", up: 0, down: 0, latencySumMs: 0 },
    ]);
  });

  test("the next check follows within an hour, or after six hours if checks failed for a day", () => {
    expect([secondsToNextCheck(0, 0), secondsToNextCheck(23, 1), secondsToNextCheck(24, 0)]).toEqual([
      3600, 3300, 21_600,
    ]);
  });
});
