import { expect, test } from "vitest";
import { countries } from "../text/countries.ts";
import { isCurrency } from "./money.ts";
import { proposedCurrency, usualCurrency } from "./usual-currency.ts";

test.each([
  ["the usual currency follows the country", "USD", "EUR"],
  ["a currency that the person chose is kept", "CHF", "CHF"],
])("%s (docs/spec/portal.md, Start selling)", (_, before, after) => {
  expect(proposedCurrency(before, { before: "US", after: "DE" })).toBe(after);
});

test("each country has a currency that can be chosen", () => {
  expect(countries.filter((country) => !isCurrency(usualCurrency(country)))).toEqual([]);
  expect(["CH", "GB", "KE", "JP", "AQ"].map(usualCurrency)).toEqual(["CHF", "GBP", "KES", "JPY", "USD"]);
});
