import { type Layout, shardOf } from "./chain.ts";

/**
 * The shard's next range after `from`. It ends with its stripe, or at `upTo` if this is earlier.
 * @returns the range (from, to] of the shard's own numbers; null if the shard has no number up to `upTo`. The numbers
 *   that this function skips belong to other shards.
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

/** The first number at or after `seq` that belongs to this shard. */
const firstOwn = (shard: number, seq: number, layout: Layout): number => {
  if (shardOf(seq, layout) === shard) return seq;
  const { shards, stripe } = layout;
  const current = Math.floor(seq / stripe);
  const distance = (shard - (current % shards) + shards) % shards;
  return (current + distance) * stripe;
};
