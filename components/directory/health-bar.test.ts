import { expect, test } from "vitest";
import { healthBar } from "./health-bar.ts";

const day = "2026-11-21";

test.each([
  [{ up: 24, down: 0, latencySumMs: 2016 }, "good", "up 100% of the time, 84 ms on average"],
  [{ up: 1, down: 2, latencySumMs: 10 }, "warn", "up 33% of the time, 10 ms on average"],
  [{ up: 0, down: 24, latencySumMs: 0 }, "bad", "up 0% of the time"],
  [{ up: 0, down: 0, latencySumMs: 0 }, "unknown", "no data"],
])("a day with the checks %j has a bar that looks %s, with the text: %s", (sums, look, text) => {
  expect(healthBar({ day, ...sums })).toMatchObject({ day, look });
  expect(healthBar({ day, ...sums }).text.replaceAll("\u00a0", " ")).toBe(`21 November 2026: ${text}`);
});
