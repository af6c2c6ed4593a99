import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { roundToMinor, toExact } from "../exact/exact.ts";
import { type MeterUsage, noUsage, type Price } from "../plans/terms.ts";
import { chargePrice, chargeUsage, unitPrice, unitUsage } from "../prices/price-model.fixture.ts";
import { priceUsage } from "../prices/price-steps.ts";
import { partLines } from "./part-lines.ts";
import { addUsage } from "./shared-usage.ts";
import type { PeriodPart } from "./types.ts";

const meter = "own:sms";
const tax = { category: "O", rate: 0n };
const days = [10, 6, 15];

/** The parts of one period with the same plan, one part for each usage. */
const partsOf = (price: Price, usages: readonly MeterUsage[], { flat = 0n, maximum = null as bigint | null } = {}) => {
  const parts: PeriodPart[] = [];
  for (const [index, usage] of usages.entries()) {
    const period = { from: new Date(index * 1_000), to: new Date((index + 1) * 1_000) };
    const terms = { flat, minimum: 0n, maximum, prices: new Map([[meter, price]]) };
    const used = days[index] ?? 1;
    parts.push({
      plan: { id: "pro", version: 1 },
      terms,
      period,
      days: { used, of: 31 },
      usage: new Map([[meter, usage]]),
      earlier: [...parts],
    });
  }
  return parts;
};

const unitCase = fc.tuple(unitPrice, fc.array(unitUsage, { minLength: 1, maxLength: 3 }));
const chargeCase = fc.tuple(chargePrice, fc.array(chargeUsage, { minLength: 1, maxLength: 3 }));

describe("parts of a period with the same plan (docs/spec/billing.md, Periods)", () => {
  test("together cost the same as the undivided period", () => {
    fc.assert(
      fc.property(fc.oneof(unitCase, chargeCase), ([price, usages]) => {
        const lines = partsOf(price, usages).flatMap((part) => partLines(part, tax));
        const sum = lines.reduce((all, { exact }) => all + exact, 0n);
        expect(sum).toBe(priceUsage(price, usages.reduce(addUsage, noUsage)));
      }),
    );
  });

  test("together cost at most the maximum, even if more usage costs less", () => {
    const maximum = fc.bigInt({ min: 0n, max: 1_000n });
    fc.assert(
      fc.property(fc.oneof(unitCase, chargeCase), maximum, ([price, usages], most) => {
        const lines = partsOf(price, usages, { flat: 310n, maximum: most }).flatMap((part) => partLines(part, tax));
        const billed = lines.reduce((all, { amount, discount }) => all + amount - discount, 0n);
        const full = lines.reduce((all, { pricedExact }) => all + roundToMinor(pricedExact), 0n);
        const difference = billed - (full < most ? full : most);
        // A reduced negative price is rounded again, half to even. So the sum may differ by one unit per reduced line.
        const roundings = BigInt(lines.filter(({ exact, pricedExact }) => exact !== pricedExact).length);
        expect(difference <= roundings && difference >= -roundings).toBe(true);
      }),
    );
  });

  test("the free units of the plan are used once", () => {
    const price = { model: "per_unit", unit: toExact(100n), freeUnits: 10n } as const;
    const usage = { quantity: 10n, amounts: [] };
    const amounts = partsOf(price, [usage, usage, usage]).map((part) =>
      partLines(part, tax).map(({ amount }) => amount),
    );
    expect(amounts).toEqual([[0n], [1_000n], [1_000n]]);
  });
});
