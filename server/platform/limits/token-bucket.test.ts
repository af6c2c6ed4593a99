import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Quota } from "../../deps/config.ts";
import { costOf, drain, take } from "./token-bucket.ts";

/** The reference model: it counts whole microseconds of credit and refills at every access. */
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

/** Quotas whose cost is a whole number of microseconds, so that the reference model has no rounding. */
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
  it("admits exactly the requests that the reference model admits", () => {
    fc.assert(
      fc.property(quotas, gaps, (quota, pauses) => {
        const slow = slowBucket(quota);
        for (const { now, isAllowed } of run(quota, pauses))
          expect({ now, isAllowed }).toEqual({ now, isAllowed: slow(now) });
      }),
      { numRuns: 500 },
    );
  });

  it("admits exactly `remaining` more requests while no time passes", () => {
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

  it("refuses just before its announced wait is over, and admits after it", () => {
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

  it("admits, in any interval, at most the bucket's size plus the refill of that interval", () => {
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

  it("admits all three requests of a quota of three per ten seconds, despite rounding", () => {
    const quota: Quota = { requests: 3, seconds: 10 };
    expect(run(quota, [0, 0, 0, 0]).map(({ isAllowed }) => isAllowed)).toEqual([true, true, true, false]);
  });

  it("drains several requests together, and goes into debt if fewer requests are left", () => {
    const quota: Quota = { requests: 20, seconds: 20 };
    const first = drain(quota, { fullAt: 0, now: 1000, requests: 15 });
    expect(first).toEqual({ fullAt: 16_000, remaining: 5, untilNextMilliseconds: 1000 });
    const second = drain(quota, { fullAt: first.fullAt, now: 1000, requests: 15 });
    expect(second).toEqual({ fullAt: 31_000, remaining: 0, untilNextMilliseconds: 11_000 });
    expect(take(quota, second.fullAt, 11_999).isAllowed).toBe(false);
    expect(take(quota, second.fullAt, 12_000).isAllowed).toBe(true);
  });

  it("admits nothing until its debt is repaid", () => {
    const quota: Quota = { requests: 10, seconds: 10 };
    const inDebt = take(quota, 25_000, 0);
    expect(inDebt).toMatchObject({ isAllowed: false, remaining: 0, untilNextMilliseconds: 16_000 });
    expect(take(quota, 25_000, 16_000).isAllowed).toBe(true);
  });
});
