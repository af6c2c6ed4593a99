import { expect, test } from "vitest";
import { currencies, currencyExponent, formatMoney, isCurrency, toDecimal } from "./money.ts";

test.each([
  ["JPY", 1234n, "1234"],
  ["EUR", 1234n, "12.34"],
  ["EUR", 4n, "0.04"],
  ["KWD", 1234n, "1.234"],
  ["EUR", -5n, "-0.05"],
])("%s %s is %s", (currency, amountMinor, text) => {
  expect(toDecimal({ amountMinor, currency })).toBe(text);
});

test.each([["BOV"], ["XAU"], ["XTS"], ["XXX"], ["CLF"], ["eur"], [""]])("%s is an unknown currency", (code) => {
  expect(isCurrency(code)).toBe(false);
});

test("formats every currency with its own number of digits", () => {
  for (const currency of currencies) {
    const formatted = formatMoney({ amountMinor: 1_234_567n, currency }, "en-US");
    const figure = /\d[\d,]*(?:\.\d+)?/.exec(formatted)?.[0].replaceAll(",", "") ?? "";
    expect(figure).toBe(toDecimal({ amountMinor: 1_234_567n, currency }));
    expect(figure.split(".")[1]?.length ?? 0).toBe(currencyExponent(currency));
  }
});

test("never formats an amount with a space at which a line can break", () => {
  for (const locale of ["en-GB", "en-IN", "de-DE", "de-CH", "fr-FR", "es-ES", "pt-BR"]) {
    for (const currency of currencies) {
      expect(formatMoney({ amountMinor: 123_456_789_012n, currency }, locale)).not.toMatch(/[ \u2009]/);
    }
  }
});

test("formats amounts above 2^53 exactly", () => {
  expect(formatMoney({ amountMinor: 9_007_199_254_740_993n, currency: "USD" }, "en-US")).toBe("$90,071,992,547,409.93");
});
