import fc from "fast-check";
import { expect, test } from "vitest";
import { allocate, roundToTotal } from "./allocate.ts";
import { divideHalfEven, formatExact, multiplyRatio, parseExact, roundToMinor } from "./exact.ts";

const exact = fc.bigInt({ min: -(10n ** 24n), max: 10n ** 24n });
const positive = fc.bigInt({ min: 1n, max: 10n ** 15n });

test("formatting and parsing an exact amount gives the same amount (docs/spec/billing.md, Amounts)", () => {
  fc.assert(
    fc.property(exact, (value) => {
      const text = formatExact(value);
      expect(text).toMatch(/^-?(0|[1-9]\d*)(\.\d{0,11}[1-9])?$/);
      expect(parseExact(text)).toBe(value);
    }),
  );
});

test.each(["", "1e3", ".5", "1.", "+1", "0.1234567890123", "1,5", " 1", "1234567890123456789"])(
  "%j is not an exact amount (docs/spec/billing.md, Amounts)",
  (text) => {
    expect(() => parseExact(text)).toThrow(RangeError);
  },
);

test.each([
  ["0.5", 0n],
  ["1.5", 2n],
  ["2.5", 2n],
  ["-0.5", 0n],
  ["-1.5", -2n],
  ["-2.5", -2n],
  ["2.500000000001", 3n],
  ["-2.500000000001", -3n],
])("%s is rounded to %s, half to even (docs/spec/billing.md, Amounts)", (text, minor) => {
  expect(roundToMinor(parseExact(text))).toBe(minor);
});

test("a quotient is rounded to the nearest whole number, and a half to the even one (docs/spec/billing.md, Amounts)", () => {
  fc.assert(
    fc.property(exact, positive, (dividend, divisor) => {
      const quotient = divideHalfEven(dividend, divisor);
      const twiceOff = 2n * (quotient * divisor - dividend);
      expect(twiceOff <= divisor && twiceOff >= -divisor).toBe(true);
      if (twiceOff === divisor || twiceOff === -divisor) expect(quotient % 2n).toBe(0n);
    }),
  );
  expect(() => multiplyRatio(1n, 1n, 0n)).toThrow(RangeError);
});

test("an allocation sums to its total, and each part differs from its share by less than one unit (docs/spec/billing.md, Arithmetic of invoices)", () => {
  const weights = fc.array(fc.bigInt({ min: 0n, max: 10n ** 9n }), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 10n ** 12n }), weights, (total, given) => {
      const sum = given.reduce((all, weight) => all + weight, 0n);
      const parts = allocate(total, given);
      expect(parts.reduce((all, part) => all + part, 0n)).toBe(sum === 0n ? 0n : total);
      if (sum === 0n) return;
      const shares = given.map((weight, index) => ({ weight, part: parts[index] ?? 0n, ideal: total * weight }));
      for (const { part, ideal } of shares) expect(part * sum - ideal < sum && ideal - part * sum < sum).toBe(true);
      // A larger weight never gets a smaller part.
      for (const one of shares) {
        for (const other of shares) if (one.weight > other.weight) expect(one.part >= other.part).toBe(true);
      }
    }),
  );
});

test("the rounded quotients sum to the given total, even if the total differs by one from the exact sum (docs/spec/billing.md, Arithmetic of invoices)", () => {
  const dividends = fc.array(fc.bigInt({ min: -(10n ** 9n), max: 10n ** 9n }), { minLength: 2, maxLength: 8 });
  const divisor = fc.bigInt({ min: 1n, max: 10_000n });
  fc.assert(
    fc.property(dividends, divisor, fc.constantFrom(-1n, 0n, 1n), (given, by, off) => {
      const sum = given.reduce((all, dividend) => all + dividend, 0n);
      const total = divideHalfEven(sum, by) + off;
      // The net amount of a credit note is the difference of two rounded amounts. It differs from the exact difference
      // by at most one.
      const difference = total * by - sum;
      fc.pre(difference <= by && difference >= -by);
      const parts = roundToTotal(given, by, total);
      expect(parts.reduce((all, part) => all + part, 0n)).toBe(total);
      for (const [index, part] of parts.entries()) {
        const distance = part * by - (given[index] ?? 0n);
        expect(distance <= 2n * by && distance >= -2n * by).toBe(true);
      }
    }),
  );
  expect(roundToTotal([1n, 2n], 1n, 3n)).toEqual([1n, 2n]);
});
