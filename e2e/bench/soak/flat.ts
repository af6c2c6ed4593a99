/** In this share of the run, caches fill, code is compiled and pools open. */
const warmUpShare = 1 / 5;
/** Minimum number of periods for a result. */
export const fewest = 6;

/** Each third is represented by this quantile, which may grow by the larger of the share and the minimum. */
export type Rule = { quantile: number; share: number; least: number };

export const memoryRule: Rule = { quantile: 0.5, share: 0.1, least: 16 * 2 ** 20 };
/**
 * Other load on the machine only increases a p99, sometimes for minutes. The lower quartile is affected least.
 */
export const latencyRule: Rule = { quantile: 0.25, share: 0.5, least: 2 };

/** If the host gave a larger share of the CPU time to other machines, the period isn't judged. */
const maxStolen = 0.1;

export const isOurs = ({ stolen }: { stolen: number }): boolean => stolen <= maxStolen;

export const flatRule =
  "Flat: minutes in which the host gave other machines more than 10 % of the processors don't count, and neither does the first fifth. " +
  "From the first to the last third, memory (median) may grow by 10 % or 16 MiB, and a p99 (lower quartile) by 50 % or 2 ms, whichever is more. " +
  "The median p99 must be within its target. Every answer must be a success, and no process may have been restarted.";

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
