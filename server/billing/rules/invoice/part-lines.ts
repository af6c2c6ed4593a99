import { meterTitle } from "../../../kernel/billing/meter-title.ts";
import { larger } from "../../../kernel/money/smaller.ts";
import { allocate } from "../exact/allocate.ts";
import { multiplyRatio, roundToMinor, toExact } from "../exact/exact.ts";
import { noUsage, type TaxRate } from "../plans/terms.ts";
import { type DraftLine, draftLine } from "./draft-line.ts";
import { earlierUsage, priceAfter } from "./shared-usage.ts";
import type { PeriodPart } from "./types.ts";

/** The lines of one part of the period: flat fee, usage in the order of the plan, true-up to the minimum. */
export const partLines = (part: PeriodPart, tax: TaxRate): DraftLine[] => {
  const priced = capLines(feeLines(part, tax), maximumOf(part));
  return [...priced, ...trueUpLine(part, priced, tax)];
};

const feeLines = (part: PeriodPart, tax: TaxRate): DraftLine[] => [...flatLine(part, tax), ...usageLines(part, tax)];

/** The maximum less the flat fees and usage of the earlier parts; null if the plan has none. */
export const maximumOf = ({ terms: { maximum }, earlier = [] }: Pick<PeriodPart, "terms" | "earlier">) =>
  maximum === null
    ? null
    : earlier.reduce((left, part, index) => leftAfter(left, part, earlier.slice(0, index)), maximum);

const noTax = { category: "O", rate: 0n };

const leftAfter = (left: bigint, part: PeriodPart, earlier: readonly PeriodPart[]): bigint =>
  larger(left - sumOf(feeLines({ ...part, earlier }, noTax)), 0n);

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

/** The amount above the maximum becomes a discount, allocated to the lines by largest remainder. */
const capLines = (lines: readonly DraftLine[], maximum: bigint | null): DraftLine[] => {
  const excess = maximum === null ? 0n : sumOf(lines) - maximum;
  if (excess <= 0n) return [...lines];
  const discounts = allocate(
    excess,
    // Usage that reaches a cheaper tier of volume prices may have a negative price.
    lines.map(({ amount }) => larger(amount, 0n)),
  );
  return lines.map((line, index) => ({ ...line, discount: discounts[index] ?? 0n }));
};

/** The rounded minimum minus the rounded flat and usage lines. */
const trueUpLine = (part: PeriodPart, priced: readonly DraftLine[], tax: TaxRate): DraftLine[] => {
  const missing = partMinimum(part) - sumOf(priced);
  if (missing <= 0n) return [];
  return [draftLine("true_up", { ...wholeLine(part, tax), description: "Minimum charge", exact: toExact(missing) })];
};
