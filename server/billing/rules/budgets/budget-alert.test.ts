import { expect, test } from "vitest";
import { isReached, thresholdMinor } from "./budget-alert.ts";

test.each([
  { amount: 1000n, percent: null, threshold: 1000n },
  { amount: 1000n, percent: 80, threshold: 800n },
  { amount: 999n, percent: 50, threshold: 500n },
  { amount: 1n, percent: 1, threshold: 1n },
  { amount: 1000n, percent: 150, threshold: 1500n },
])(
  "$percent % of $amount is reached at $threshold (docs/spec/billing.md, Budget alerts)",
  ({ threshold, ...alert }) => {
    expect(thresholdMinor(alert)).toBe(threshold);
    expect([isReached(alert, threshold - 1n), isReached(alert, threshold)]).toEqual([false, true]);
  },
);
