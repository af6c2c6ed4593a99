import { larger } from "../../../kernel/money/smaller.ts";
import { allocate } from "../exact/allocate.ts";
import { type Exact, toExact } from "../exact/exact.ts";

type Line = { exact: Exact; amount: bigint; discount: bigint };

/**
 * The negative lines of a void invoice. The total that the positive lines charge is deducted from the negative lines,
 * in proportion to their amounts. `exact` is zero if the positive lines charge the same amount or more than the
 * negative lines credit.
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
