import { median } from "../measure.ts";

/** Until then caches fill, code is compiled and pools open. */
const warmUpShare = 1 / 5;
/** Fewer periods than this say nothing. */
const fewest = 6;

export const memoryRule = { share: 0.1, least: 16 * 2 ** 20 } as const;
export const latencyRule = { share: 0.5, least: 2 } as const;
export type Rule = { share: number; least: number };

export const flatRule =
  "Flat: without the first fifth, the median of the last third stands no more above that of the first third than 10 % or 16 MiB of memory, " +
  "or than 50 % or 2 ms of a p99, whichever is more. The median p99 must be within its target, no answer other than a success, and no process another than at the start.";

export type Trend = { first: number; last: number; isFlat: boolean };

/** @returns null where there are too few figures to tell. */
export const trendOf = (figures: readonly number[], { share, least }: Rule): Trend | null => {
  if (figures.length < fewest) return null;
  const warm = figures.slice(Math.ceil(figures.length * warmUpShare));
  const third = Math.max(1, Math.floor(warm.length / 3));
  const [first, last] = [median(warm.slice(0, third)), median(warm.slice(-third))];
  return { first, last, isFlat: last - first <= Math.max(first * share, least) };
};
