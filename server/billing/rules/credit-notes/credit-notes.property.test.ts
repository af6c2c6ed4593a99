import fc from "fast-check";
import { expect, test } from "vitest";
import { toExact } from "../exact/exact.ts";
import { taxLines } from "../invoice/taxes.ts";
import { type CreditableLine, computeCreditNote } from "./compute-credit-note.ts";
import { divideDiscount } from "./divide-discount.ts";

const taxes = [19n, 7n].map((rate) => ({ category: "S", rate: toExact(rate) }));
const sum = (values: readonly bigint[]): bigint => values.reduce((all, value) => all + value, 0n);

/** Lines with a discount of at most their amount. */
const line = fc
  .record({
    amount: fc.bigInt({ min: 1n, max: 5_000n }),
    share: fc.bigInt({ min: 0n, max: 100n }),
    tax: fc.constantFrom(...taxes),
  })
  .map(({ amount, share, tax }): CreditableLine => {
    return { amount, discount: (amount * share) / 100n, tax, credited: 0n, credit: 0n };
  });

/** Shares of the uncredited part of each line; the last note credits the rest. */
const splits = fc.array(fc.array(fc.bigInt({ min: 0n, max: 100n }), { minLength: 5, maxLength: 5 }), { maxLength: 4 });

test("the credit notes for a whole invoice sum exactly to its tax and total (docs/spec/billing.md, Credit notes)", () => {
  fc.assert(
    fc.property(
      fc.array(line, { minLength: 1, maxLength: 5 }),
      splits,
      fc.constantFrom("exclusive" as const, "inclusive" as const),
      (lines, shares, behaviour) => {
        const invoice = taxLines(lines, behaviour);
        let left = lines;
        const notes = [...shares, [100n, 100n, 100n, 100n, 100n]].map((step) => {
          const requested = left.map((one, index) => ({
            ...one,
            credit: ((one.amount - one.credited) * (step[index] ?? 0n)) / 100n,
          }));
          left = requested.map((one) => ({ ...one, credited: one.credited + one.credit, credit: 0n }));
          return computeCreditNote(requested, behaviour);
        });
        const tax = sum(invoice.taxes.map(({ amount }) => amount));
        const net = sum(invoice.lines.map((one) => one.net));
        expect(sum(notes.map((note) => note.tax))).toBe(tax);
        expect(sum(notes.map((note) => note.total))).toBe(net + tax);
        for (const note of notes) {
          const lineNets = sum(note.lines.map((one) => one.net));
          expect(lineNets).toBe(note.total - note.tax);
          expect(note.tax >= 0n && note.total >= 0n).toBe(true);
        }
      },
    ),
  );
});

test("refuses to credit more than the uncredited part of a line (docs/spec/billing.md, Credit notes)", () => {
  const [tax] = taxes;
  if (!tax) throw new Error("no tax");
  const one = { amount: 100n, discount: 0n, tax, credited: 60n, credit: 41n };
  expect(() => computeCreditNote([one], "exclusive")).toThrow(RangeError);
  expect(() => computeCreditNote([{ ...one, credit: -1n }], "exclusive")).toThrow(RangeError);
  expect(computeCreditNote([{ ...one, credit: 40n }], "exclusive").subtotal).toBe(40n);
});

test("the discounts of each note sum to its total discount, and the discounts of all notes sum to those of the invoice", () => {
  const amounts = fc.array(fc.bigInt({ min: 1n, max: 999n }), { minLength: 1, maxLength: 4 });
  fc.assert(
    fc.property(amounts, fc.array(fc.bigInt({ min: 0n, max: 100n }), { maxLength: 5 }), (given, shares) => {
      const discounts = given.map((amount, index) => ({ coupon: index === 0 ? null : `C${index}`, amount }));
      let left = sum(given);
      const notes = [...shares, 100n].map((share) => {
        const amount = (left * share) / 100n;
        left -= amount;
        return amount;
      });
      const credited: ReturnType<typeof divideDiscount> = [];
      for (const amount of notes) {
        const parts = divideDiscount(amount, { discounts, credited });
        expect(sum(parts.map((part) => part.amount))).toBe(amount);
        credited.push(...parts);
      }
      for (const { coupon, amount } of discounts)
        expect(sum(credited.flatMap((part) => (part.coupon === coupon ? [part.amount] : [])))).toBe(amount);
    }),
  );
});
