import { describe, expect, test } from "vitest";
import { bucketOf, durationBounds, noDurations, quantileOf } from "./durations.ts";

const countsOf = (durations: readonly number[]) => {
  const counts = noDurations();
  for (const duration of durations) counts[bucketOf(duration)] = (counts[bucketOf(duration)] ?? 0) + 1;
  return counts;
};

describe("durations in buckets (docs/spec/product.md, Latency targets)", () => {
  test("every latency target is the end of a bucket, so requests within it are counted exactly", () => {
    for (const target of [120, 250, 180, 350, 40, 30, 80, 800, 1_500]) expect(durationBounds).toContain(target);
  });

  test.each([
    [0, 1],
    [1, 1],
    [1.1, 2],
    [40, 40],
    [40.1, 60],
    [10_000, 10_000],
  ])("%s ms is within %s ms", (milliseconds, bound) => {
    expect(durationBounds[bucketOf(milliseconds)]).toBe(bound);
  });

  test("counts longer durations in a last bucket", () => {
    expect(bucketOf(10_001)).toBe(durationBounds.length);
    expect(quantileOf(countsOf([10_001]), 0.5)).toBeNull();
  });

  test("a quantile is within its bucket, and is null without requests", () => {
    expect(quantileOf(noDurations(), 0.95)).toBeNull();
    const counts = countsOf([...Array.from({ length: 95 }, () => 35), ...Array.from({ length: 5 }, () => 300)]);
    expect(quantileOf(counts, 0.95)).toBe(40);
    expect(quantileOf(counts, 0.5)).toBeCloseTo(35.26, 2);
    expect(quantileOf(counts, 0.99)).toBeCloseTo(330, 5);
    expect(quantileOf(counts, 1)).toBe(350);
  });
});
