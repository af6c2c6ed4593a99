/** Random numbers that depend only on the seed, so that a case can be repeated. */
export type Random = {
  /** from 0 to below `limit` */
  below(limit: number): number;
  pick<T>(from: readonly T[]): T;
  /** true in `percent` of a hundred cases */
  chance(percent: number): boolean;
  bytes(length: number): Buffer;
};

/** mulberry32: small, sufficiently uniform, and the same on every machine. */
const generator = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

/** Each case of a run has its own sequence, so that it can be repeated without the cases before it. */
export const createRandom = (runSeed: number, caseNumber: number): Random => {
  const next = generator(Math.imul(runSeed, 0x9e3779b1) ^ Math.imul(caseNumber + 1, 0x85ebca6b));
  const below = (limit: number) => Math.floor(next() * limit);
  return {
    below,
    pick<T>(from: readonly T[]): T {
      if (from.length === 0) throw new Error("nothing to pick from");
      return from[below(from.length)] as T;
    },
    chance: (percent) => next() * 100 < percent,
    bytes: (length) => Buffer.from(Array.from({ length }, () => below(256))),
  };
};
