/**
 * The smallest value such that at least `share` (0 to 1) of all values are less than or equal to it.
 * @param sorted ascending.
 * @returns NaN if there are no values.
 */
export const quantileOf = (sorted: readonly number[], share: number): number =>
  sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
