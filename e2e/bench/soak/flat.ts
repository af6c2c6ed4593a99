/** In this share of the run, caches fill, code is compiled and pools open. */
const warmUpShare = 1 / 5;
/** Minimum number of periods for a result. */
export const fewest = 6;

/** Compares this quantile of the first and the last third. It may grow by `share` or `least`, whichever is more. */
export type Rule = { quantile: number; share: number; least: number };

export const memoryRule: Rule = { quantile: 0.5, share: 0.1, least: 16 * 2 ** 20 };
/** Other load on the machine can only increase a p99, sometimes for minutes. It affects the lower quartile least. */
export const latencyRule: Rule = { quantile: 0.25, share: 0.5, least: 2 };

/** If the host gave a larger share of the CPU time to other machines, the period doesn't count. */
const maxStolen = 0.1;

export const isOurs = ({ stolen }: { stolen: number }): boolean => stolen <= maxStolen;

export const flatRule =
  "Flat: the first fifth of the run doesn't count. Periods in which the host gave more than 10% of the CPU time to other machines don't count either. " +
  "From the first to the last third, memory (median) may grow by 10% or 16 MiB, and a p99 (lower quartile) by 50% or 2 ms, whichever is more. " +
  "The median p99 must be within its target. At most 0.1% of the requests may fail, and no process may have been restarted.";

export type Trend = { first: number; last: number; isFlat: boolean };

/** @returns null when there are too few figures. */
export const trendOf = (figures: readonly number[], { quantile, share, least }: Rule): Trend | null => {
  if (figures.length < fewest) return null;
  const warm = figures.slice(Math.ceil(figures.length * warmUpShare));
  const third = Math.max(1, Math.floor(warm.length / 3));
  const [first, last] = [quantileOf(warm.slice(0, third), quantile), quantileOf(warm.slice(-third), quantile)];
  return { first, last, isFlat: last - first <= Math.max(first * share, least) };
};

const quantileOf = (figures: readonly number[], quantile: number): number =>
  [...figures].sort((a, b) => a - b)[Math.floor((figures.length - 1) * quantile)] ?? Number.NaN;
