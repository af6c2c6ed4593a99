import { describe, expect, test } from "vitest";
import { addSeconds } from "../../../kernel/time/clock.ts";
import { nextDunningStep, nextRetryAt, suspensionAt } from "./dunning.ts";

const first = new Date("2026-11-02T00:00:00Z");
const onDay = (days: number) => addSeconds(first, days * 24 * 3600);
const dunning = { invoiceDueAt: onDay(14), attemptAt: null, firstFailedAt: null, overdueAt: null, suspendedAt: null };

describe("dunning (docs/spec/billing.md, Collection)", () => {
  test.each([
    [0, 1],
    [0.5, 1],
    [1, 3],
    [3, 5],
    [5, 7],
    [2, 3],
    [6.9, 7],
    [7, null],
    [400, null],
  ])("a failure on day %d is retried on day %s, counted from the first failure", (failed, retried) => {
    const expected = retried === null ? null : onDay(retried);
    expect(nextRetryAt(first, { failedAt: onDay(failed), isRetryable: true })).toEqual(expected);
    expect(nextRetryAt(first, { failedAt: onDay(failed), isRetryable: false })).toBeNull();
  });

  test("the grace period is 14 days from the first failure or the due date, whichever is earlier", () => {
    expect(suspensionAt({ ...dunning, firstFailedAt: first })).toEqual(onDay(14));
    expect(suspensionAt({ ...dunning, firstFailedAt: onDay(20) })).toEqual(onDay(28));
    expect(suspensionAt(dunning)).toEqual(onDay(28));
  });

  test("steps follow in order and end after the suspension; if two steps have the same time, the payment comes first", () => {
    expect(nextDunningStep({ ...dunning, attemptAt: onDay(14) })).toEqual({ kind: "pay", at: onDay(14) });
    expect(nextDunningStep(dunning)).toEqual({ kind: "overdue", at: onDay(14) });
    expect(nextDunningStep({ ...dunning, overdueAt: onDay(14) })).toEqual({ kind: "suspend", at: onDay(28) });
    expect(nextDunningStep({ ...dunning, overdueAt: onDay(14), suspendedAt: onDay(28) })).toBeNull();
  });
});
