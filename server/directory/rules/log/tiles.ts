import { hashLength, hashOfNodes, nodeHash, type Range, splitOf } from "./merkle.ts";

/** C2SP tlog-tiles: the hashes in a full tile. */
export const tileWidth = 256;

/** -1 is the level of the entries themselves: bundle N has the entries whose hashes are in tile N of level 0. */
export const entriesLevel = -1;

/** Our own level, which has no path: the full bundles with gzip. */
export const compressedLevel = -2;

export type TileName = { level: number; number: number };
/** `width` is `tileWidth` for a full tile. */
export type TileSlice = TileName & { width: number };

const hashesAt = (level: number): number => tileWidth ** Math.max(level, 0);

/** The number of hashes that a tree of `size` entries has at a level. */
export const hashCount = (level: number, size: number): number => Math.floor(size / hashesAt(level));

/** The width of a tile in a tree of `size` entries; 0 if the tree doesn't have it. */
export const widthOf = ({ level, number }: TileName, size: number): number =>
  Math.min(Math.max(hashCount(level, size) - number * tileWidth, 0), tileWidth);

/**
 * `N[.p/W]` of a tile's path: the index in groups of three digits, of which all but the last begin with `x`, and the
 * width of a partial tile.
 * @returns null if the text isn't the canonical path of a tile.
 */
export const parseTilePath = (path: string): { number: number; width: number } | null => {
  const { groups, last, width } =
    /^(?<groups>(?:x\d{3}\/){0,4})(?<last>\d{3})(?:\.p\/(?<width>[1-9]\d{0,2}))?$/.exec(path)?.groups ?? {};
  if (groups === undefined || last === undefined) return null;
  // No unnecessary group: x000/067 would be another path of tile 067.
  if (groups.startsWith("x000/")) return null;
  if (width !== undefined && Number(width) >= tileWidth) return null;
  return { number: Number(`${groups.replaceAll(/[x/]/g, "")}${last}`), width: Number(width ?? tileWidth) };
};

/** The hash at a position of a tile. */
const hashAt = (tile: Buffer, position: number): Buffer =>
  tile.subarray(position * hashLength, (position + 1) * hashLength);

export const hashesOf = (tile: Buffer): Buffer[] =>
  Array.from({ length: tile.length / hashLength }, (_, position) => hashAt(tile, position));

/** Entries, each with its length as big-endian uint16 before it. @throws RangeError for an entry above 65,535 bytes. */
export const bundleOf = (entries: readonly Buffer[]): Buffer =>
  Buffer.concat(
    entries.flatMap((entry) => {
      const length = Buffer.alloc(2);
      length.writeUInt16BE(entry.length);
      return [length, entry];
    }),
  );

/** The first `width` elements of a tile or bundle. @throws Error if it has fewer. */
export const sliceTile = (level: number, bytes: Buffer, width: number): Buffer => {
  let end = width * hashLength;
  if (level === entriesLevel) {
    end = 0;
    for (let count = 0; count < width; count += 1) end += 2 + bytes.readUInt16BE(end);
  }
  if (end > bytes.length) throw new Error("the tile has fewer elements");
  return bytes.subarray(0, end);
};

/** The complete subtree of 2^height entries at an index, as nodes of a tile. */
type Subtree = { height: number; index: number };
const levelHeight = Math.log2(tileWidth);

/** Splits a range into complete subtrees, from left to right. `start` must be a multiple of the first one's size. */
const subtreesOf = ({ start, end }: Range): Subtree[] => {
  const subtrees: Subtree[] = [];
  for (let from = start; from < end; ) {
    const size = splitOf(end - from + 1);
    subtrees.push({ height: Math.log2(size), index: from / size });
    from += size;
  }
  return subtrees;
};

export type ReadTile = (name: TileName) => Promise<Buffer>;

const subtreeHash = async ({ height, index }: Subtree, read: ReadTile): Promise<Buffer> => {
  const level = Math.floor(height / levelHeight);
  const count = 2 ** (height % levelHeight);
  const first = index * count;
  const tile = await read({ level, number: Math.floor(first / tileWidth) });
  const hashes = Array.from({ length: count }, (_, offset) => hashAt(tile, (first % tileWidth) + offset));
  if (hashes.some((found) => found.length !== hashLength)) throw new Error("the tile has fewer hashes");
  return hashOfNodes(hashes);
};

/**
 * Computes the Merkle Tree Hash (RFC 6962 §2.1) of a range of entries from the tiles. @param range a node of the tree;
 * not empty.
 */
export const rangeHash = async (range: Range, read: ReadTile): Promise<Buffer> => {
  const hashes: Buffer[] = [];
  for (const subtree of subtreesOf(range)) hashes.push(await subtreeHash(subtree, read));
  return hashes.reduceRight((right, left) => nodeHash(left, right));
};
