/**
 * Divides a total into whole parts in proportion to weights, by largest remainder. Among equal remainders, the first is
 * treated as the largest.
 * @param weights not negative; if all are zero, the total must be zero
 */
export const allocate = (total: bigint, weights: readonly bigint[]): bigint[] => {
  const sum = weights.reduce((all, weight) => all + weight, 0n);
  if (sum === 0n) return weights.map(() => 0n);
  return roundToTotal(
    weights.map((weight) => total * weight),
    sum,
    total,
  );
};

/**
 * The quotients `dividend / divisor`, rounded so that they sum to `total`. First, each quotient is rounded down. If
 * their sum is too small, the quotients with the largest remainders are increased by one. If it is too large, those
 * with the smallest remainders are decreased by one.
 * @param total the rounded sum of the quotients; it may differ from the exact sum by at most one
 */
export const roundToTotal = (dividends: readonly bigint[], divisor: bigint, total: bigint): bigint[] => {
  const parts = dividends.map((dividend) => floorDivide(dividend, divisor));
  const remainders = dividends.map((dividend, index) => dividend - divisor * (parts[index] ?? 0n));
  const largestFirst = [...remainders.keys()].sort((one, other) => {
    const difference = (remainders[other] ?? 0n) - (remainders[one] ?? 0n);
    return difference === 0n ? one - other : difference > 0n ? 1 : -1;
  });
  const missing = total - parts.reduce((all, part) => all + part, 0n);
  const step = missing < 0n ? -1n : 1n;
  const changed = new Set(largestFirst.slice(...(missing < 0n ? [Number(missing)] : [0, Number(missing)])));
  return parts.map((part, index) => (changed.has(index) ? part + step : part));
};

const floorDivide = (dividend: bigint, divisor: bigint): bigint => {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
};
