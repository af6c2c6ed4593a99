/**
 * Upper ends of the histogram's buckets in milliseconds; a last bucket has no upper end. The latency targets are among
 * them (docs/spec/product.md, Latency targets), so that the share of requests within a target is exact.
 */
export const durationBounds: readonly number[] = [
  1, 2, 5, 10, 20, 30, 40, 60, 80, 120, 180, 250, 350, 500, 800, 1_500, 2_500, 5_000, 10_000,
];

export type DurationCounts = number[];

export const noDurations = (): DurationCounts => Array.from({ length: durationBounds.length + 1 }, () => 0);

/** The bucket of a duration: the first whose upper end is at least the duration. */
export const bucketOf = (milliseconds: number): number => {
  let bucket = 0;
  while (bucket < durationBounds.length && milliseconds > (durationBounds[bucket] ?? 0)) bucket += 1;
  return bucket;
};

/**
 * The duration that `share` of the requests did not exceed, interpolated within its bucket.
 * @returns null without requests, and for a duration above the last upper end.
 */
export const quantileOf = (counts: readonly number[], share: number): number | null => {
  const total = counts.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const wanted = share * total;
  let before = 0;
  for (const [bucket, bound] of durationBounds.entries()) {
    const count = counts[bucket] ?? 0;
    if (count > 0 && before + count >= wanted) {
      const from = durationBounds[bucket - 1] ?? 0;
      return from + ((bound - from) * (wanted - before)) / count;
    }
    before += count;
  }
  return null;
};
