import { type Exact, multiplyRatio, toExact } from "../exact/exact.ts";
import { type MonthFee, serves } from "./sla-credits.ts";

/** The SLA credits that a fee has received so far, for all components. */
export type EarlierCredits = { currency: string; meter: string; periodFrom: Date; exact: Exact; percent: Exact };
/** `left`: the part of the fee that no SLA credit has given back yet. */
type CreditableFee = MonthFee & { left: Exact; earlierPercent: Exact };
type FurtherCredit<Fee> = Fee & { exact: Exact; percent: Exact };

const wholePercent = toExact(100n);

/** The fees of the meters that a component serves, minus the amounts that earlier SLA credits gave back. */
export const creditableFees = <Fee extends MonthFee>(
  fees: readonly Fee[],
  { component, currency, earlier }: { component: string; currency: string; earlier: readonly EarlierCredits[] },
): (Fee & CreditableFee)[] =>
  fees.flatMap((fee) => {
    if (fee.currency !== currency || !serves(component, fee.meter)) return [];
    const given = earlier.find(
      (one) =>
        one.currency === currency && one.meter === fee.meter && one.periodFrom.getTime() === fee.periodFrom.getTime(),
    );
    const left = fee.fee - (given?.exact ?? 0n);
    return left > 0n ? [{ ...fee, left, earlierPercent: given?.percent ?? 0n }] : [];
  });

/**
 * Divides a further credit among fees in proportion to `left`. The parts sum to the amount, and no part is larger than
 * `left` of its fee. `percent` of a part: the percentage of its fee that each charge gets back. Refunded charges get
 * nothing back.
 * @param amount at most the sum of `left`
 */
export const divideFurtherCredit = <Fee extends CreditableFee>(
  amount: Exact,
  fees: readonly Fee[],
): FurtherCredit<Fee>[] => {
  let restOfAmount = amount;
  let restOfFees = sumLeft(fees);
  return fees.flatMap((fee) => {
    const exact = multiplyRatio(restOfAmount, fee.left, restOfFees);
    restOfAmount -= exact;
    restOfFees -= fee.left;
    if (exact === 0n) return [];
    const unearned = fee.earlierPercent < wholePercent ? wholePercent - fee.earlierPercent : 0n;
    return [{ ...fee, exact, percent: multiplyRatio(unearned, exact, fee.left) }];
  });
};

export const sumLeft = (fees: readonly CreditableFee[]): Exact => fees.reduce((sum, { left }) => sum + left, 0n);
