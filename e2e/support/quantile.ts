/**
 * The value at or below which a share (0 to 1) of all values lies.
 * @param sorted ascending.
 * @returns NaN when there are none.
 */
export const quantileOf = (sorted: readonly number[], share: number): number =>
  sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
