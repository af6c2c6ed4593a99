import { meterTitle } from "../../../kernel/billing/meter-title.ts";
import { larger } from "../../../kernel/money/smaller.ts";
import { allocate } from "../exact/allocate.ts";
import { type Exact, multiplyRatio, roundToMinor, toExact } from "../exact/exact.ts";
import { noUsage, type TaxRate } from "../plans/terms.ts";
import { excessOf, missingTo } from "./charge-limits.ts";
import { type DraftLine, draftLine } from "./draft-line.ts";
import { earlierUsage, priceAfter } from "./shared-usage.ts";
import type { PeriodPart } from "./types.ts";

/** The lines of one part of the period: flat fee, usage in the order of the plan, true-up to the minimum. */
export const partLines = (part: PeriodPart, tax: TaxRate): DraftLine[] => {
  const priced = capLines(feeLines(part, tax), roomOf(part));
  return [...priced, ...trueUpLine(part, priced, tax)];
};

const feeLines = (part: PeriodPart, tax: TaxRate): DraftLine[] => [...flatLine(part, tax), ...usageLines(part, tax)];

/** The maximum less the flat fees and usage of the earlier parts. */
const roomOf = ({ terms: { maximum }, earlier = [] }: PeriodPart): bigint | null =>
  maximum === null ? null : maximum - sumOf(feesOfParts(earlier));

const noTax = { category: "O", rate: 0n };

/** The flat fees and usage of parts that share free units and tiers, in time order. */
const feesOfParts = (parts: readonly PeriodPart[]): DraftLine[] =>
  parts.flatMap((part, index) => feeLines({ ...part, earlier: parts.slice(0, index) }, noTax));

/** The sum of the exact flat fees and usage of parts that share free units and tiers. */
export const exactFees = (parts: readonly PeriodPart[]): Exact =>
  feesOfParts(parts).reduce((sum, { exact }) => sum + exact, 0n);

const prorated = (amountMinor: bigint, { used, of }: PeriodPart["days"]) =>
  multiplyRatio(toExact(amountMinor), BigInt(used), BigInt(of));

/** The minimum of a part: prorated and rounded. */
export const partMinimum = ({ terms, days }: Pick<PeriodPart, "terms" | "days">): bigint =>
  roundToMinor(prorated(terms.minimum, days));

const flatLine = (part: PeriodPart, tax: TaxRate): DraftLine[] => {
  const exact = prorated(part.terms.flat, part.days);
  if (exact === 0n) return [];
  const { used, of } = part.days;
  const description = used === of ? "Flat fee" : `Flat fee, ${used} of ${of} days`;
  return [draftLine("flat", { ...wholeLine(part, tax), description, exact })];
};

const wholeLine = ({ period, plan }: PeriodPart, tax: TaxRate) => ({
  meter: null,
  period,
  plan,
  quantity: 1n,
  tax,
  events: null,
});

/** A line for each priced meter that has usage, or that costs something without usage. */
const usageLines = ({ plan, terms, period, usage, earlier, events }: PeriodPart, tax: TaxRate): DraftLine[] =>
  [...terms.prices].flatMap(([meter, price]) => {
    const used = usage.get(meter) ?? noUsage;
    const exact = priceAfter(price, used, earlierUsage(earlier, meter));
    if (used.quantity === 0n && exact === 0n) return [];
    const fields = { meter, description: meterTitle(meter), period, plan, quantity: used.quantity, exact, tax };
    return [draftLine("usage", { ...fields, events: events?.get(meter) ?? null })];
  });

const sumOf = (lines: readonly DraftLine[]): bigint => lines.reduce((sum, { amount }) => sum + amount, 0n);

/**
 * The amount above the maximum becomes a discount, allocated to the lines by largest remainder. Usage that reaches a
 * cheaper tier can have a negative price, which is a credit. The discount of the earlier parts reduces this credit.
 */
const capLines = (lines: readonly DraftLine[], room: bigint | null): DraftLine[] => {
  const excess = excessOf(sumOf(lines), room);
  if (excess === 0n) return [...lines];
  const share = (amount: bigint, of: (amount: bigint) => bigint) =>
    allocate(
      amount,
      lines.map((line) => of(line.amount)),
    );
  if (excess > 0n) {
    const discounts = share(excess, (amount) => larger(amount, 0n));
    return lines.map((line, index) => ({ ...line, discount: discounts[index] ?? 0n }));
  }
  const added = share(-excess, (amount) => larger(-amount, 0n));
  return lines.map((line, index) => {
    const exact = line.exact + toExact(added[index] ?? 0n);
    return { ...line, exact, amount: roundToMinor(exact) };
  });
};

/** The rounded minimum minus the sum of the rounded flat and usage lines. A negative sum counts as zero. */
const trueUpLine = (part: PeriodPart, priced: readonly DraftLine[], tax: TaxRate): DraftLine[] => {
  const missing = missingTo(partMinimum(part), sumOf(priced));
  if (missing === 0n) return [];
  return [draftLine("true_up", { ...wholeLine(part, tax), description: "Minimum charge", exact: toExact(missing) })];
};
