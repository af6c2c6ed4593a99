import fc from "fast-check";
import { expect, test } from "vitest";
import { currencies, currencyExponent, toDecimal } from "./money.ts";

const currency = fc.constantFrom(...currencies);
const amount = fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n });

test("decimal text is exact and keeps the order of the amounts", () => {
  fc.assert(
    fc.property(currency, amount, amount, (code, one, other) => {
      /** The decimal text as an integer number of thousandths, computed without a double. */
      const scaled = (amountMinor: bigint) => {
        const [whole = "", fraction = ""] = toDecimal({ amountMinor, currency: code }).split(".");
        return BigInt(`${whole}${fraction.padEnd(3, "0")}`);
      };
      expect(scaled(one) < scaled(other)).toBe(one < other);
      expect(scaled(one)).toBe(one * 10n ** BigInt(3 - currencyExponent(code)));
    }),
  );
});
