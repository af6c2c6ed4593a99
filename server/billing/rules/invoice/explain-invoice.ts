import { noUsage } from "../plans/terms.ts";
import { type PriceStep, priceSteps } from "../prices/price-steps.ts";
import type { ComputedInvoice, ComputedLine, InvoiceInput } from "./types.ts";

/** Ids of lines that aren't stored: `line_1`, `line_2` … */
export const numberLines = <Line extends object>(lines: readonly Line[]): (Line & { id: string })[] =>
  lines.map((line, index) => ({ ...line, id: `line_${index + 1}` }));

/**
 * The steps by which each line's `exact` is computed; they sum to `exact`. A line without a price model has a single
 * step.
 */
export const explainInvoice = (
  { parts }: Pick<InvoiceInput, "parts">,
  { lines }: Pick<ComputedInvoice, "lines">,
): { line: string; steps: PriceStep[] }[] =>
  numberLines(lines).map((line) => ({ line: line.id, steps: usageSteps(parts, line) ?? [wholeStep(line)] }));

const usageSteps = (parts: InvoiceInput["parts"], { kind, meter, plan, period }: ComputedLine): PriceStep[] | null => {
  if (kind !== "usage" || meter === null) return null;
  const part = parts.find((one) => one.plan === plan && one.period === period);
  const price = part?.terms.prices.get(meter);
  return price ? [...priceSteps(price, part?.usage.get(meter) ?? noUsage)] : null;
};

const wholeStep = ({ quantity, exact }: ComputedLine): PriceStep => ({
  from: 0n,
  to: quantity,
  units: quantity,
  exact,
});
