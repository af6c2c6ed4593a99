import { describe, expect, test } from "vitest";
import { translator } from "../messages/translator.ts";
import { parseTypedAmount, parseTypedCount, toTypedAmount, typedAmountProblem } from "./typed-amount.ts";

describe("a typed amount is parsed with the separators of the reader's locale", () => {
  test.each([
    ["1,250", "EUR", "en-GB", 125_000n],
    ["1,250.5", "KWD", "en-GB", 1_250_500n],
    ["1.250", "KWD", "en-GB", 1_250n],
    ["1250", "KWD", "en-GB", 1_250_000n],
    ["1,250,000", "KWD", "en-GB", 1_250_000_000n],
    ["1.250", "EUR", "de-DE", 125_000n],
    ["1.250,50", "EUR", "de-DE", 125_050n],
    ["1,250", "KWD", "de-DE", 1_250n],
    ["1 250,50", "EUR", "fr-FR", 125_050n],
    ["1\u202f250,50\u00a0€", "EUR", "fr-FR", 125_050n],
    ["1'250.50", "CHF", "de-CH", 125_050n],
    ["1’250.50", "CHF", "de-CH", 125_050n],
    ["1,25,000.50", "INR", "en-IN", 12_500_050n],
    ["1,250", "JPY", "en-GB", 1_250n],
    ["KWD 1,250.000", "KWD", "en-GB", 1_250_000n],
    [" €12.34 ", "EUR", "en-GB", 1_234n],
    ["007", "EUR", "en-GB", 700n],
  ])("accepts %j %s in the locale %s", (text, currency, locale, amountMinor) => {
    expect(parseTypedAmount(text, currency, locale)).toEqual({ kind: "amount", amountMinor });
  });

  test.each([
    ["99,90", "EUR", "en-GB", 9_990n],
    ["1.234,56", "EUR", "en-GB", 123_456n],
    ["12.5", "EUR", "de-DE", 1_250n],
    ["0,125", "KWD", "en-GB", 125n],
  ])(
    "accepts %j %s in the locale %s: the separators belong to another locale, but only one meaning is possible",
    (...row) => {
      const [text, currency, locale, amountMinor] = row;
      expect(parseTypedAmount(text, currency, locale)).toEqual({ kind: "amount", amountMinor });
    },
  );

  test.each([
    ["1,250", "KWD", "en-GB", "“1,250” can mean KWD 1,250.000 or KWD 1.250. Enter 1250.000 or 1.250."],
    ["1.250", "KWD", "de-DE", "“1.250” can mean 1.250,000 KWD or 1,250 KWD. Enter 1250,000 or 1,250."],
    ["1.250", "TND", "fr-FR", "“1.250” can mean 1 250,000 TND or 1,250 TND. Enter 1250,000 or 1,250."],
    ["25.00", "JPY", "en-GB", "JPY has no decimal places. Enter an amount, like 2500."],
    ["12.345", "EUR", "en-GB", "EUR has 2 decimal places. Enter an amount, like 25.00."],
    ["1.250", "EUR", "en-GB", "EUR has 2 decimal places. Enter an amount, like 25.00."],
    ["1,2345", "BHD", "de-DE", "BHD has 3 decimal places. Enter an amount, like 25,000."],
    ["1O", "KWD", "en-GB", "Enter an amount, like 25.000."],
    ["", "EUR", "de-DE", "Enter an amount, like 25,00."],
    ["0.00", "EUR", "en-GB", "Enter an amount above zero."],
    ["1,000,000,000", "EUR", "en-GB", "Enter at most €999,999,999.99."],
  ])("refuses %j %s in the locale %s, and says what to enter", (text, currency, locale, message) => {
    const typed = parseTypedAmount(text, currency, locale);
    const problem =
      typed.kind === "amount" ? "" : typedAmountProblem(typed, { currency, locale }, translator("en-GB", "amounts"));
    expect(problem.replace(/\s/g, " ")).toBe(message);
  });

  test.each([
    ["-1"],
    ["+1"],
    ["1e3"],
    ["1."],
    [".5"],
    ["1,25,000"],
    ["1,,250"],
    ["1,250 000"],
    ["1_000"],
    ["١٢"],
    ["１２"],
    ["USD 5"],
    ["5 5 5"],
    ["1".repeat(41)],
  ])("refuses %j, which isn't an amount in EUR", (text) => {
    expect(parseTypedAmount(text, "EUR", "en-GB").kind).toBe("malformed");
  });

  test("fills a field with the amount as a person would type it", () => {
    expect(toTypedAmount({ amountMinor: 1_250_000n, currency: "KWD" }, "de-DE")).toBe("1250,000");
    expect(toTypedAmount({ amountMinor: 1_250n, currency: "JPY" }, "fr-FR")).toBe("1250");
  });
});

describe("a typed count is a whole number, with the separators of the reader's locale", () => {
  test.each<[string, string, bigint | null]>([
    ["20000", "en-GB", 20_000n],
    ["20,000", "en-GB", 20_000n],
    ["20.000", "de-DE", 20_000n],
    ["20 000", "en-GB", 20_000n],
    ["20\u202f000", "fr-FR", 20_000n],
    ["20’000", "en-GB", 20_000n],
    ["1.000.000", "en-GB", 1_000_000n],
    ["0", "en-GB", 0n],
    ["1.5", "en-GB", null],
    ["1,5", "en-GB", null],
    ["1.000", "en-GB", null],
    ["1.000,5", "en-GB", null],
    ["1,5", "de-DE", null],
    ["2,000.00", "en-GB", null],
    ["20,0", "en-GB", null],
    ["-1", "en-GB", null],
    ["1e3", "en-GB", null],
    ["€5", "en-GB", null],
    ["", "en-GB", null],
  ])("%j in the locale %s is %s", (text, locale, count) => expect(parseTypedCount(text, locale)).toBe(count));
});
