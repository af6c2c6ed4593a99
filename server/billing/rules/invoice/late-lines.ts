import { meterTitle } from "../../../kernel/billing/meter-title.ts";
import { larger, smaller } from "../../../kernel/money/smaller.ts";
import { type Exact, roundToMinor, toExact } from "../exact/exact.ts";
import type { TaxRate } from "../plans/terms.ts";
import { type DraftLine, draftLine } from "./draft-line.ts";
import type { LatePeriod } from "./types.ts";

/**
 * Corrections of an earlier period: the price with the late usage minus the price so far, minus the part that the
 * true-up to the period's minimum already covers. The part above the period's maximum is a discount. A correction may
 * be negative.
 */
export const lateLines = (late: LatePeriod, otherTax: TaxRate): DraftLine[] => {
  const { period, plan, tax = otherTax } = late;
  let priced = late.pricedExact;
  return late.corrections.flatMap(({ meter, trueExact, pricedExact, quantity, events = null }) => {
    const change = trueExact - pricedExact;
    if (change === 0n && quantity === 0n) return [];
    const before = priced;
    priced += change;
    const exact = atLeastMinimum(priced, late) - atLeastMinimum(before, late);
    const description = `Late usage: ${meterTitle(meter)}`;
    const line = draftLine("late", { meter, description, period, plan, quantity, exact, tax, events });
    const discount = roundToMinor(excess(priced, late) - excess(before, late));
    return [{ ...line, pricedExact: change, discount: within(discount, line.amount) }];
  });
};

const atLeastMinimum = (exact: Exact, { minimum }: LatePeriod): Exact => larger(exact, toExact(minimum));

const excess = (exact: Exact, { maximum }: LatePeriod): Exact =>
  maximum === null ? 0n : larger(exact - toExact(maximum), 0n);

/** Limits a discount to the range between zero and the line's amount, which may be negative. */
const within = (discount: bigint, amount: bigint): bigint => {
  const [low, high] = amount < 0n ? [amount, 0n] : [0n, amount];
  return smaller(larger(discount, low), high);
};
