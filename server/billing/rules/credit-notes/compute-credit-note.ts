import { roundToTotal } from "../exact/allocate.ts";
import { divideHalfEven, exactUnit } from "../exact/exact.ts";
import { netOfGross, taxOnNet } from "../invoice/taxes.ts";
import type { TaxBehaviour, TaxTotal } from "../invoice/types.ts";
import type { TaxRate } from "../plans/terms.ts";

/**
 * A line of the invoice that a credit note corrects. `credited`: the part of `amount` that earlier notes credited.
 * `credit`: the part that this note credits; it may be zero. Both parts have the sign of `amount`.
 */
export type CreditableLine = {
  amount: bigint;
  discount: bigint;
  tax: TaxRate;
  credited: bigint;
  credit: bigint;
};

type CreditedLine<Line> = Line & { creditedDiscount: bigint; net: bigint };

/** Positive totals reduce the invoice. */
export type ComputedCreditNote<Line> = {
  /** in the order of the invoice, including lines with a zero `credit` */
  lines: CreditedLine<Line>[];
  taxes: TaxTotal[];
  subtotal: bigint;
  discount: bigint;
  tax: bigint;
  total: bigint;
};

/**
 * A credit note for parts of an invoice's lines. The credit for a part is reduced by its share of the line's discount.
 * The note's tax is the tax on all credits so far, including this note, minus the tax of the earlier notes. The taxes
 * of the notes for a whole invoice therefore sum exactly to the invoice's tax.
 * @param lines all lines of the invoice. @throws RangeError if a credit exceeds the uncredited part of its line.
 */
export const computeCreditNote = <Line extends CreditableLine>(
  lines: readonly Line[],
  behaviour: TaxBehaviour,
): ComputedCreditNote<Line> => {
  for (const line of lines) refuseExcess(line);
  const credited = lines.map((line) => {
    const creditedDiscount = discountShare(line, line.credited + line.credit) - discountShare(line, line.credited);
    return { ...line, creditedDiscount, net: line.credit - creditedDiscount };
  });
  const taxed = creditTaxes(credited, behaviour);
  const subtotal = sumBy(credited, ({ credit }) => credit);
  const discount = sumBy(credited, ({ creditedDiscount }) => creditedDiscount);
  const tax = sumBy(taxed.taxes, ({ amount }) => amount);
  const total = subtotal - discount + (behaviour === "exclusive" ? tax : 0n);
  return { ...taxed, subtotal, discount, tax, total };
};

const sumBy = <T>(items: readonly T[], amountOf: (item: T) => bigint): bigint =>
  items.reduce((sum, item) => sum + amountOf(item), 0n);

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);

const refuseExcess = ({ amount, credited, credit }: CreditableLine): void => {
  const isOpposite = credit !== 0n && credit < 0n !== amount < 0n;
  if (!isOpposite && magnitude(credited + credit) <= magnitude(amount)) return;
  throw new RangeError(
    `a credit of ${credit} exceeds the rest of the line: ${credited} of ${amount} is already credited`,
  );
};

/** The discount on this part of the line's amount, rounded half to even. */
const discountShare = ({ amount, discount }: CreditableLine, part: bigint): bigint =>
  amount === 0n ? 0n : divideHalfEven(discount * magnitude(part), magnitude(amount));

/** The credited part of a line after its share of the discount. @param part before the discount */
const leftAfter = (line: CreditableLine, part: bigint): bigint => part - discountShare(line, part);

const hundred = 100n * exactUnit;

/** The taxes of the note per category and rate. With inclusive prices, also the net amounts of its lines. */
const creditTaxes = <Line extends CreditedLine<CreditableLine>>(lines: readonly Line[], behaviour: TaxBehaviour) => {
  const nets = lines.map(({ net }) => net);
  const groups = Map.groupBy(lines.keys(), (index) => `${lines[index]?.tax.category} ${lines[index]?.tax.rate}`);
  const taxes = [...groups.values()].flatMap((indexes): TaxTotal[] => {
    const members = indexes.flatMap((index) => lines[index] ?? []);
    const { category, rate } = members[0]?.tax ?? { category: "O", rate: 0n };
    const before = sumBy(members, (line) => leftAfter(line, line.credited));
    const change = sumBy(members, ({ net }) => net);
    const changed = indexes.filter((index) => lines[index]?.credit !== 0n);
    if (changed.length === 0) return [];
    if (behaviour === "exclusive") {
      return [{ category, rate, base: change, amount: taxOnNet(before + change, rate) - taxOnNet(before, rate) }];
    }
    const base = netOfGross(before + change, rate) - netOfGross(before, rate);
    const parts = roundToTotal(
      changed.map((index) => (lines[index]?.net ?? 0n) * hundred),
      hundred + rate,
      base,
    );
    for (const [position, index] of changed.entries()) nets[index] = parts[position] ?? 0n;
    return [{ category, rate, base, amount: change - base }];
  });
  return { lines: lines.map((line, index) => ({ ...line, net: nets[index] ?? 0n })), taxes };
};
