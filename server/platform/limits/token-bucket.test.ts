import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Quota } from "../../deps/config.ts";
import { costOf, drain, take } from "./token-bucket.ts";

/** The obvious bucket: it counts in whole microseconds of credit and is refilled at every look. */
const slowBucket = (quota: Quota) => {
  const cost = costOf(quota) * 1000;
  const capacity = quota.requests * cost;
  let credit = capacity;
  let lastAt = 0;
  return (now: number): boolean => {
    credit = Math.min(capacity, credit + (now - lastAt) * 1000);
    lastAt = now;
    if (credit < cost) return false;
    credit -= cost;
    return true;
  };
};

/** Quotas whose cost is a whole number of microseconds, so that the slow bucket counts without rounding. */
const quotas = fc
  .tuple(fc.integer({ min: 1, max: 60 }), fc.constantFrom(1, 2, 5, 10, 60))
  .map(([requests, seconds]): Quota => ({ requests, seconds }))
  .filter((quota) => Number.isInteger(costOf(quota) * 1000));
const gaps = fc.array(fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 70_000 })), {
  maxLength: 200,
});

const run = (quota: Quota, pauses: readonly number[]) => {
  let now = 0;
  let fullAt = 0;
  return pauses.map((pause) => {
    now += pause;
    const taking = take(quota, fullAt, now);
    fullAt = taking.fullAt;
    return { now, ...taking };
  });
};

describe("token bucket", () => {
  it("lets through exactly what a bucket that is refilled step by step lets through", () => {
    fc.assert(
      fc.property(quotas, gaps, (quota, pauses) => {
        const slow = slowBucket(quota);
        for (const { now, isAllowed } of run(quota, pauses))
          expect({ now, isAllowed }).toEqual({ now, isAllowed: slow(now) });
      }),
      { numRuns: 500 },
    );
  });

  it("lets through as many as it says remain, and no more, where no time passes", () => {
    fc.assert(
      fc.property(quotas, gaps, (quota, pauses) => {
        const last = run(quota, [0, ...pauses]).at(-1);
        if (!last) return;
        let { fullAt } = last;
        let passed = 0;
        for (let taking = take(quota, fullAt, last.now); taking.isAllowed; taking = take(quota, fullAt, last.now)) {
          fullAt = taking.fullAt;
          passed += 1;
        }
        expect(passed).toBe(last.remaining);
      }),
    );
  });

  it("refuses a moment before the wait that it tells is over, and not once it is", () => {
    fc.assert(
      fc.property(quotas, gaps, (quota, pauses) => {
        for (const { now, isAllowed, fullAt, untilNextMilliseconds } of run(quota, pauses)) {
          if (isAllowed) continue;
          expect(take(quota, fullAt, now + untilNextMilliseconds).isAllowed).toBe(true);
          expect(take(quota, fullAt, now + untilNextMilliseconds - 0.5).isAllowed).toBe(false);
        }
      }),
    );
  });

  it("passes in any stretch of time at most its size and what that time refills", () => {
    fc.assert(
      fc.property(quotas, gaps, (quota, pauses) => {
        const passed = run(quota, pauses).filter(({ isAllowed }) => isAllowed);
        for (const [index, first] of passed.entries()) {
          for (const [further, last] of passed.slice(index).entries()) {
            expect(further + 1).toBeLessThanOrEqual(quota.requests + (last.now - first.now) / costOf(quota) + 1e-6);
          }
        }
      }),
      { numRuns: 50 },
    );
  });

  it("gives a third of ten seconds three times (no request is lost to rounding)", () => {
    const quota: Quota = { requests: 3, seconds: 10 };
    expect(run(quota, [0, 0, 0, 0]).map(({ isAllowed }) => isAllowed)).toEqual([true, true, true, false]);
  });

  it("is drained of ten as by ten requests, as long as it holds them, and then owes the rest", () => {
    const quota: Quota = { requests: 20, seconds: 20 };
    const first = drain(quota, 0, 1000, 15);
    expect(first).toEqual({ fullAt: 16_000, remaining: 5, untilNextMilliseconds: 1000 });
    const second = drain(quota, first.fullAt, 1000, 15);
    expect(second).toEqual({ fullAt: 31_000, remaining: 0, untilNextMilliseconds: 11_000 });
    expect(take(quota, second.fullAt, 11_999).isAllowed).toBe(false);
    expect(take(quota, second.fullAt, 12_000).isAllowed).toBe(true);
  });

  it("lets nothing through until a debt is drained", () => {
    const quota: Quota = { requests: 10, seconds: 10 };
    const inDebt = take(quota, 25_000, 0);
    expect(inDebt).toMatchObject({ isAllowed: false, remaining: 0, untilNextMilliseconds: 16_000 });
    expect(take(quota, 25_000, 16_000).isAllowed).toBe(true);
  });
});
