import type { Deps } from "../../deps/deps.ts";
import { fieldRefusal } from "../../kernel/errors.ts";
import { consistencyRanges, inclusionRanges, type Range } from "../rules/log/merkle.ts";
import { rangeHash } from "../rules/log/tiles.ts";
import { getCheckpoint } from "./published-log.ts";
import { readTiles } from "./read-tiles.ts";

/**
 * Proves that the tree of `treeSize` entries has the entry at `index` (RFC 6962 §2.1.1).
 * @throws DomainError invalid_request for a tree that isn't published or doesn't have the entry;
 *   temporarily_unavailable before the first checkpoint.
 */
export const proveInclusion = async (
  deps: Pick<Deps, "db">,
  { index, treeSize }: { index: number; treeSize: number },
): Promise<Buffer[]> => {
  await refuseUnpublished(deps, { size: treeSize, pointer: "#tree_size" });
  if (index >= treeSize) throw fieldRefusal("#index", "must be less than tree_size");
  return hashesOfRanges(deps, inclusionRanges(index, { start: 0, end: treeSize }));
};

/**
 * Proves that the tree of `to` entries begins with the entries of the tree of `from` entries (RFC 6962 §2.1.2).
 * @throws DomainError invalid_request for a tree that isn't published, or if `from` is larger than `to`;
 *   temporarily_unavailable before the first checkpoint.
 */
export const proveConsistency = async (
  deps: Pick<Deps, "db">,
  { from, to }: { from: number; to: number },
): Promise<Buffer[]> => {
  await refuseUnpublished(deps, { size: to, pointer: "#to" });
  if (from > to) throw fieldRefusal("#from", "must not be greater than `to`");
  return hashesOfRanges(deps, consistencyRanges(from, to));
};

const refuseUnpublished = async (
  deps: Pick<Deps, "db">,
  { size, pointer }: { size: number; pointer: string },
): Promise<void> => {
  const published = (await getCheckpoint(deps)).size;
  if (size > published) throw fieldRefusal(pointer, `must be at most ${published}, the size of the latest checkpoint`);
};

const hashesOfRanges = async ({ db }: Pick<Deps, "db">, ranges: readonly Range[]): Promise<Buffer[]> => {
  const read = readTiles(db.sql);
  const hashes: Buffer[] = [];
  for (const range of ranges) hashes.push(await rangeHash(range, read));
  return hashes;
};
