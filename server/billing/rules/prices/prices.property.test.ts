import fc from "fast-check";
import { expect, test } from "vitest";
import { chargePrice, chargeUsage, slowPrice, unitPrice, unitUsage } from "./price-model.fixture.ts";
import { priceSteps, priceUsage, totalAmount } from "./price-steps.ts";
import { refundedFee } from "./refunded-fee.ts";

const unitCases = fc.record({ price: unitPrice, usage: unitUsage });
const chargeCases = fc.record({ price: chargePrice, usage: chargeUsage });

test("a price equals the sum of the prices of all units and charges (docs/spec/billing.md, Price models)", () => {
  const anyCase = fc.oneof(unitCases, chargeCases);
  fc.assert(
    fc.property(anyCase, ({ price, usage }) => {
      expect(priceUsage(price, usage)).toBe(slowPrice(price, usage));
    }),
    { numRuns: 300 },
  );
});

test("the steps of a price per unit cover each unit once, in order (docs/spec/billing.md, Estimate)", () => {
  fc.assert(
    fc.property(unitCases, ({ price, usage }) => {
      const steps = [...priceSteps(price, usage)];
      let position = 0n;
      for (const { from, to, units } of steps) {
        expect([from, to - from]).toEqual([position, units]);
        position = to;
      }
      expect(position).toBe(steps.length === 0 ? 0n : usage.quantity);
    }),
  );
});

test("after full refunds of all charges, the whole price is credited (docs/spec/billing.md, Arithmetic of invoices)", () => {
  fc.assert(
    fc.property(chargeCases, ({ price, usage }) => {
      fc.pre(usage.quantity > 0n);
      const back = usage.amounts.map(
        ({ amountMinor, count }) =>
          count *
          refundedFee(price, {
            capturedMinor: amountMinor,
            refundedMinor: amountMinor,
            usage,
            fee: priceUsage(price, usage),
          }),
      );
      const total = back.reduce((sum, fee) => sum + fee, 0n);
      // Each share of a graduated price is rounded to 12 fraction digits.
      const tolerance = price.model === "basis_points" ? 0n : usage.quantity;
      const difference = total + priceUsage(price, usage);
      expect(difference <= tolerance && difference >= -tolerance).toBe(true);
    }),
  );
});

test("a partial refund returns its share of the fee; the fee includes the minimum per charge (docs/spec/billing.md, Arithmetic of invoices)", () => {
  const price = { model: "basis_points", rate: 29n * 10n ** 12n, min: 5n * 10n ** 12n, max: null } as const;
  const usage = { quantity: 1n, amounts: [{ amountMinor: 1000n, count: 1n }] };
  expect(totalAmount(usage)).toBe(1000n);
  // 29 basis points of 1000 are 2.9, below the minimum of 5. A quarter of the minimum is 1.25.
  expect(refundedFee(price, { capturedMinor: 1000n, refundedMinor: 250n, usage, fee: priceUsage(price, usage) })).toBe(
    -1_250_000_000_000n,
  );
});
