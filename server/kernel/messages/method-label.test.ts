import { describe, expect, test } from "vitest";
import { methodLabel } from "./method-label.ts";

describe("the label of a payment method is in the payer's language (docs/spec/portal.md, Payment methods)", () => {
  test.each([
    ["Visa ending in 4242", "de-AT", "Visa mit den Endziffern 4242"],
    ["American Express ending in 0005", "de-DE", "American Express mit den Endziffern 0005"],
    ["Card ending in 4242", "de-DE", "Karte mit den Endziffern 4242"],
    ["Visa ending in 4242", "en-US", "Visa ending in 4242"],
    ["Card ending in 4242", "fr-FR", "Card ending in 4242"],
    ["Bank account", "de-DE", "Bank account"],
    ["Visa ending in 42", "de-DE", "Visa ending in 42"],
  ])("%s for %s", (label, locale, expected) => {
    expect(methodLabel(label, locale)).toBe(expected);
  });
});
