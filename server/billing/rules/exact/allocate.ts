/**
 * Whole parts of a total in proportion to weights, by largest remainder; of equal remainders, the first.
 * @param weights not negative; if all are zero, so is the total
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
 * The quotients `dividend / divisor`, rounded so that they sum to `total`: each is rounded down, and the largest
 * remainders get one more. @param total their sum, rounded
 */
export const roundToTotal = (dividends: readonly bigint[], divisor: bigint, total: bigint): bigint[] => {
  const parts = dividends.map((dividend) => floorDivide(dividend, divisor));
  const remainders = dividends.map((dividend, index) => dividend - divisor * (parts[index] ?? 0n));
  const missing = total - parts.reduce((all, part) => all + part, 0n);
  const largestFirst = [...remainders.keys()].sort((one, other) => {
    const difference = (remainders[other] ?? 0n) - (remainders[one] ?? 0n);
    return difference === 0n ? one - other : difference > 0n ? 1 : -1;
  });
  const raised = new Set(largestFirst.slice(0, Number(missing)));
  return parts.map((part, index) => (raised.has(index) ? part + 1n : part));
};

const floorDivide = (dividend: bigint, divisor: bigint): bigint => {
  const quotient = dividend / divisor;
  return dividend % divisor < 0n ? quotient - 1n : quotient;
};
