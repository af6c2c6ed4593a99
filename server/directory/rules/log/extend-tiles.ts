import { hashOfNodes, leafHash } from "./merkle.ts";
import { bundleOf, entriesLevel, hashCount, hashesOf, type ReadTile, type TileName, tileWidth } from "./tiles.ts";

type MadeTile = TileName & { bytes: Buffer };

/**
 * The tiles of a tree that is extended by entries: every tile that gets new elements, with its earlier elements.
 * @param size size of the tree before the extension.
 * @param read reads a tile of the tree before the extension, with exactly its width in that tree.
 */
export const extendTiles = async ({
  size,
  entries,
  read,
}: {
  size: number;
  entries: readonly Buffer[];
  read: ReadTile;
}): Promise<MadeTile[]> => {
  const made = await extendBundles({ size, entries, read });
  let added = entries.map(leafHash);
  for (let level = 0; added.length > 0; level += 1) {
    const count = hashCount(level, size);
    const first = Math.floor(count / tileWidth);
    const before = count % tileWidth === 0 ? [] : hashesOf(await read({ level, number: first }));
    const rows = chunk([...before, ...added]);
    made.push(...rows.map((hashes, offset) => ({ level, number: first + offset, bytes: Buffer.concat(hashes) })));
    // Only a full tile is hashed into the level above.
    added = rows.filter((hashes) => hashes.length === tileWidth).map(hashOfNodes);
  }
  return made;
};

const extendBundles = async ({ size, entries, read }: Parameters<typeof extendTiles>[0]): Promise<MadeTile[]> => {
  const first = Math.floor(size / tileWidth);
  const width = size % tileWidth;
  const started = width === 0 ? Buffer.alloc(0) : await read({ level: entriesLevel, number: first });
  const rows = [entries.slice(0, tileWidth - width), ...chunk(entries.slice(tileWidth - width))];
  return rows.map((row, offset) => ({
    level: entriesLevel,
    number: first + offset,
    bytes: Buffer.concat([...(offset === 0 ? [started] : []), bundleOf(row)]),
  }));
};

const chunk = (items: readonly Buffer[]): Buffer[][] =>
  Array.from({ length: Math.ceil(items.length / tileWidth) }, (_, index) =>
    items.slice(index * tileWidth, (index + 1) * tileWidth),
  );
