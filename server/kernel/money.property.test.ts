import fc from "fast-check";
import { expect, test } from "vitest";
import { currencies, currencyExponent, parseDecimal, toDecimal } from "./money.ts";

const currency = fc.constantFrom(...currencies);
const amount = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });

test("decimal text is in the order of the amounts, and exact", () => {
  fc.assert(
    fc.property(currency, amount, amount, (code, one, other) => {
      /** Without a double: the digits as an integer of the largest exponent. */
      const scaled = (amountMinor: bigint) => {
        const [whole = "", fraction = ""] = toDecimal({ amountMinor, currency: code }).split(".");
        return BigInt(`${whole}${fraction.padEnd(3, "0")}`);
      };
      expect(scaled(one) < scaled(other)).toBe(one < other);
      expect(scaled(one)).toBe(one * 10n ** BigInt(3 - currencyExponent(code)));
    }),
  );
});

test("text is an amount exactly where it is plain digits, with at most the currency's own behind the point", () => {
  const piece = fc.constantFrom("0", "1", "12", "007", ".", ",", "-", "e", " ", "١", "+");
  const digits = fc.string({ unit: fc.constantFrom("0", "1", "9"), maxLength: 4 });
  const texts = fc.oneof(
    fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join("")),
    fc.tuple(digits, digits).map((parts) => parts.join(".")),
  );
  fc.assert(
    fc.property(currency, texts, (code, text) => {
      const [whole = "", fraction, rest] = text.trim().split(".");
      const exponent = currencyExponent(code);
      const isPlain =
        rest === undefined &&
        /^[0-9]{1,15}$/.test(whole) &&
        (fraction === undefined || (/^[0-9]+$/.test(fraction) && fraction.length <= exponent));
      const expected = isPlain
        ? BigInt(whole) * 10n ** BigInt(exponent) + BigInt((fraction ?? "").padEnd(exponent, "0"))
        : null;
      expect(parseDecimal(text, code)).toBe(expected);
    }),
    { numRuns: 300 },
  );
});
