import fc from "fast-check";
import { expect, test } from "vitest";
import { currencies, currencyExponent, formatMoney, maxAmountMinor } from "./money.ts";
import { parseTypedAmount, toTypedAmount } from "./typed-amount.ts";

const locale = fc.constantFrom(
  "en-GB",
  "en-US",
  "en-IN",
  "de-DE",
  "de-AT",
  "fr-FR",
  "fr-CH",
  "de-CH",
  "es-ES",
  "pt-BR",
);
const currency = fc.constantFrom(...currencies);
const amount = fc.bigInt({ min: 1n, max: maxAmountMinor });

test("reads every amount, as displayed and as filled into a field, in every currency", () => {
  const everyCurrency = [...currencies];
  fc.assert(
    fc.property(locale, amount, (reader, amountMinor) => {
      for (const code of everyCurrency) {
        const money = { amountMinor, currency: code };
        const expected = { kind: "amount", amountMinor };
        expect(parseTypedAmount(toTypedAmount(money, reader), code, reader)).toEqual(expected);
        expect(parseTypedAmount(formatMoney(money, reader), code, reader)).toEqual(expected);
      }
    }),
    { numRuns: 20 },
  );
});

test("never rounds, scales or drops the digits of an accepted text, whatever its separators are", () => {
  const piece = fc.constantFrom("0", "1", "12", "250", "000", ".", ",", " ", "’", "-", "e", "١");
  const texts = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join(""));
  fc.assert(
    fc.property(locale, currency, texts, (reader, code, text) => {
      const typed = parseTypedAmount(text, code, reader);
      if (typed.kind !== "amount") return;
      const exponent = currencyExponent(code);
      const digits = text.replace(/\D/g, "");
      const decimals = [0, 1, 2, 3].filter(
        (count) => BigInt(digits) * 10n ** BigInt(Math.max(0, exponent - count)) === typed.amountMinor,
      );
      expect(decimals.some((count) => count <= exponent)).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("if a text has two readings, accepts only the reading with the reader's own decimal separator", () => {
  const swap = (text: string) => text.replace(/[.,]/g, (mark) => (mark === "." ? "," : "."));
  fc.assert(
    fc.property(currency, fc.nat(999), fc.integer({ min: 0, max: 999 }), (code, whole, rest) => {
      const text = `${whole}.${String(rest).padStart(3, "0")}`;
      const here = parseTypedAmount(text, code, "en-GB");
      const there = parseTypedAmount(text, code, "de-DE");
      if (here.kind === "amount" && there.kind === "amount") expect(here.amountMinor).toBe(there.amountMinor);
      expect(parseTypedAmount(swap(text), code, "de-DE").kind).toBe(here.kind);
    }),
  );
});
