import { computeSafeInvoice } from "../invoice/compute-invoice.ts";
import type { ComputedInvoice, InvoiceInput, PeriodPart } from "../invoice/types.ts";
import type { MeterUsage } from "../plans/terms.ts";

const dayMs = 24 * 3_600 * 1_000;

/**
 * The invoice of the current period if usage continues at the same rate per day until the period ends
 * (docs/spec/billing.md, Spend). Flat fee, late usage and refunds aren't extrapolated.
 * @returns null for a period without a billed part, in the first 24 hours (too early for a forecast), and if the
 *   invoice would be too large.
 */
export const forecastInvoice = (input: InvoiceInput, at: Date): ComputedInvoice | null => {
  const [part] = input.parts;
  if (!part || at.getTime() - part.period.from.getTime() < dayMs) return null;
  return computeSafeInvoice({ ...input, parts: input.parts.map((each) => forecastPart(each, at)) });
};

const forecastPart = (part: PeriodPart, at: Date): PeriodPart => {
  const whole = BigInt(part.period.to.getTime() - part.period.from.getTime());
  const elapsed = BigInt(Math.max(at.getTime() - part.period.from.getTime(), 1));
  if (elapsed >= whole) return part;
  const usage = new Map([...part.usage].map(([meter, used]) => [meter, scaleUsage(used, whole, elapsed)]));
  return { ...part, usage };
};

/**
 * The running sum of the counts is rounded, not each count. Otherwise, the rounding errors would add up if there are
 * many amounts.
 */
const scaleUsage = ({ quantity, amounts }: MeterUsage, whole: bigint, elapsed: bigint): MeterUsage => {
  const scale = (count: bigint): bigint => (2n * count * whole + elapsed) / (2n * elapsed);
  let before = 0n;
  const scaled = amounts
    .toSorted((one, other) => Number(one.amountMinor - other.amountMinor))
    .map(({ amountMinor, count }) => {
      const from = scale(before);
      before += count;
      return { amountMinor, count: scale(before) - from };
    })
    .filter(({ count }) => count > 0n);
  return { quantity: scale(quantity), amounts: scaled };
};
