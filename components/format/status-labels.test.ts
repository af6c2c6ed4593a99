import { expect, test } from "vitest";
import { durationOf, listOf, momentOf, reliabilityFirst, spanOf } from "./status-labels.ts";

const now = new Date("2026-11-21T10:19:00Z");

test("times are UTC, and told with their day where that isn't today", () => {
  expect(momentOf(new Date("2026-11-21T09:41:59Z"), now)).toBe("09:41\u00a0UTC");
  expect(momentOf(new Date("2026-11-20T23:59:00Z"), now)).toBe("20\u00a0November\u00a02026,\u00a023:59\u00a0UTC");
});

test("a span names its day once", () => {
  const from = new Date("2026-11-22T03:00:00Z");
  expect(spanOf(from, new Date("2026-11-22T03:30:00Z"))).toBe("22\u00a0November\u00a02026, 03:00 to 03:30 UTC");
  expect(spanOf(from, new Date("2026-11-23T00:00:00Z"))).toBe(
    "22\u00a0November\u00a02026, 03:00 to 23\u00a0November\u00a02026, 00:00 UTC",
  );
});

test.each([
  [59_999, "less than a minute"],
  [-5, "less than a minute"],
  [60_000, "1 minute"],
  [38 * 60_000, "38 minutes"],
  [3_600_000, "1 hour"],
  [125 * 60_000, "2 hours 5 minutes"],
  [47 * 3_600_000, "47 hours"],
  [50 * 3_600_000, "2 days"],
])("%i ms are %s", (milliseconds, text) => expect(durationOf(milliseconds)).toBe(text));

test.each([
  [[], ""],
  [["a"], "a"],
  [["a", "b"], "a and b"],
  [["a", "b", "c"], "a, b and c"],
])("%j is said as %j", (names, text) => expect(listOf(names)).toBe(text));

test("reliability comes first where a budget is used up, and says whose (docs/spec/status.md, Error budgets)", () => {
  expect(reliabilityFirst([])).toBeNull();
  expect(reliabilityFirst(["Wallet portal", "Billing engine"])).toMatch(
    /^Reliability first: .* of Wallet portal and Billing engine is used up\./,
  );
});
