import { type Layout, shardOf } from "./chain.ts";

/**
 * The next part of one stripe that a shard has behind `from`, as far as `upTo`.
 * @returns (from, to], or null where there is none yet. `from` stays: what lies between is other shards'.
 */
export const nextRange = (
  { shard, from, upTo }: { shard: number; from: number; upTo: number },
  layout: Layout,
): { from: number; to: number } | null => {
  const first = firstOwn(shard, from + 1, layout);
  if (first > upTo) return null;
  const stripeEnd = (Math.floor(first / layout.stripe) + 1) * layout.stripe - 1;
  return { from: first - 1, to: Math.min(stripeEnd, upTo) };
};

/** The first number from `seq` on that is this shard's. */
const firstOwn = (shard: number, seq: number, layout: Layout): number => {
  if (shardOf(seq, layout) === shard) return seq;
  const { shards, stripe } = layout;
  const current = Math.floor(seq / stripe);
  const distance = (shard - (current % shards) + shards) % shards;
  return (current + distance) * stripe;
};
