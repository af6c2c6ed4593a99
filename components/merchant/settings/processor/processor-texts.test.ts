import { expect, test } from "vitest";
import { isContinuable } from "./processor-texts.ts";

test.each([
  ["details_needed", true],
  ["in_review", true],
  ["restricted", true],
  ["enabled", true],
  ["not_connected", false],
  ["disabled", false],
  ["disconnected", false],
] as const)("Stripe has a page for an account that is %s: %s", (state, expected) => {
  expect(isContinuable({ isConnectable: true, state })).toBe(expected);
  expect(isContinuable({ isConnectable: false, state })).toBe(false);
});
