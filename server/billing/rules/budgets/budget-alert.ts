/** When an alert fires: at `amount`, or at `percent` of the budget `amount`. */
export type BudgetThreshold = { amount: bigint; percent: number | null };

/** A threshold that isn't a whole number of minor units is rounded up. */
export const thresholdMinor = ({ amount, percent }: BudgetThreshold): bigint =>
  percent === null ? amount : (amount * BigInt(percent) + 99n) / 100n;

export const isReached = (threshold: BudgetThreshold, spentMinor: bigint): boolean =>
  spentMinor >= thresholdMinor(threshold);
