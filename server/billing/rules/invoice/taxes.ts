import { roundToTotal } from "../exact/allocate.ts";
import { divideHalfEven, type Exact, exactUnit } from "../exact/exact.ts";
import type { TaxRate } from "../plans/terms.ts";
import type { TaxBehaviour, TaxTotal } from "./types.ts";

type Taxed = { tax: TaxRate; amount: bigint; discount: bigint };

const hundred = 100n * exactUnit;

/** The tax on a rounded net amount, rounded half to even. @param rate in percent */
export const taxOnNet = (net: bigint, rate: Exact): bigint => divideHalfEven(net * rate, hundred);

/** The net amount of an amount that includes tax, rounded half to even; the remainder is the tax. */
export const netOfGross = (gross: bigint, rate: Exact): bigint => divideHalfEven(gross * hundred, hundred + rate);

/**
 * Computes each line's net amount, and the tax per category and rate. With exclusive prices, the tax is the rate times
 * the sum of the net amounts, rounded (EN 16931, BR-CO-17). With inclusive prices, the net amount of each category and
 * rate is rounded, the tax is the rest, and the lines' net amounts sum to that rounded net amount.
 */
export const taxLines = <Line extends Taxed>(
  lines: readonly Line[],
  behaviour: TaxBehaviour,
): { lines: (Line & { net: bigint })[]; taxes: TaxTotal[] } => {
  const groups = Map.groupBy(lines.keys(), (index) => {
    const tax = lines[index]?.tax;
    return `${tax?.category} ${tax?.rate}`;
  });
  const nets = new Map<number, bigint>();
  const taxes = [...groups.values()].map((indexes): TaxTotal => {
    const members = indexes.flatMap((index) => lines[index] ?? []);
    const { category, rate } = members[0]?.tax ?? { category: "O", rate: 0n };
    const left = members.map(({ amount, discount }) => amount - discount);
    const sum = left.reduce((all, one) => all + one, 0n);
    const base = behaviour === "inclusive" ? netOfGross(sum, rate) : sum;
    const parts = behaviour === "inclusive" ? netsOf(left, rate, base) : left;
    for (const [position, index] of indexes.entries()) nets.set(index, parts[position] ?? 0n);
    return { category, rate, base, amount: behaviour === "inclusive" ? sum - base : taxOnNet(base, rate) };
  });
  return { lines: lines.map((line, index) => ({ ...line, net: nets.get(index) ?? 0n })), taxes };
};

const netsOf = (grosses: readonly bigint[], rate: Exact, total: bigint): bigint[] =>
  roundToTotal(
    grosses.map((gross) => gross * hundred),
    hundred + rate,
    total,
  );
