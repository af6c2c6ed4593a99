import { expect, test } from "vitest";
import { timelineText } from "./timeline-text.ts";

test.each([
  ["Refunded", "€5.00", "Refunded: €5.00"],
  ["Refunded", null, "Refunded"],
  ["Refund of {amount} failed. No money was returned.", "$5.00", "Refund of $5.00 failed. No money was returned."],
  ["Authorized: {amount} was held.", null, "Authorized: the amount was held."],
  ["Voided: nothing was charged.", "€5.00", "Voided: nothing was charged."],
])("%o with the amount %o: %o", (label, amount, text) => {
  expect(timelineText(label, amount)).toBe(text);
});
