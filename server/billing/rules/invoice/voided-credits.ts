import { larger } from "../../../kernel/money/smaller.ts";
import { allocate } from "../exact/allocate.ts";
import { type Exact, toExact } from "../exact/exact.ts";

type Line = { exact: Exact; amount: bigint; discount: bigint };

/**
 * What lines of a void invoice credit together: the negative lines, less the positive ones, which they correct. Their
 * `exact` amounts are zero if the sum isn't negative.
 */
export const netCredits = <One extends Line>(lines: readonly One[]): One[] => {
  const credits = lines.filter(({ amount }) => amount < 0n);
  const charged = lines.reduce((sum, { amount, discount }) => sum + larger(amount - discount, 0n), 0n);
  const weights = credits.map(({ amount }) => -amount);
  const credited = weights.reduce((sum, weight) => sum + weight, 0n);
  if (charged >= credited) return credits.map((line) => ({ ...line, exact: 0n }));
  const taken = allocate(charged, weights);
  return credits.map((line, index) => ({ ...line, exact: line.exact + toExact(taken[index] ?? 0n) }));
};
