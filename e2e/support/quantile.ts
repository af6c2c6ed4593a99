/** The value that a share (0 to 1) of all lies at or below. @param sorted ascending. @returns NaN of none. */
export const quantileOf = (sorted: readonly number[], share: number): number =>
  sorted[Math.ceil(sorted.length * share) - 1] ?? Number.NaN;
