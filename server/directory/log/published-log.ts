import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { findLogCheckpoint, findLogKey, findLogTile, type PublishedCheckpoint } from "../../data/directory/log/log.ts";
import type { Deps } from "../../deps/deps.ts";
import { formatNoteKey } from "../../kernel/crypto/note-key.ts";
import { DomainError } from "../../kernel/errors.ts";
import { originOf } from "../rules/log/checkpoint.ts";
import { compressedLevel, entriesLevel, sliceTile, type TileSlice, tileWidth, widthOf } from "../rules/log/tiles.ts";

const notPublishedRefusal = () =>
  new DomainError("unavailable", {
    code: "temporarily_unavailable",
    message: "The directory's log isn't published yet. Try again in a few seconds.",
    headers: { "retry-after": "2" },
  });

/** @throws DomainError unavailable before the first checkpoint. */
export const getCheckpoint = async ({ db }: Pick<Deps, "db">): Promise<PublishedCheckpoint> => {
  const checkpoint = await findLogCheckpoint(db.sql);
  if (!checkpoint) throw notPublishedRefusal();
  return checkpoint;
};

/** The key that verifies checkpoints, in note format. @throws DomainError unavailable while the log has no key. */
export const getVerifierKey = async ({ db, config }: Pick<Deps, "db" | "config">): Promise<string> => {
  const key = await findLogKey(db.sql);
  if (!key) throw notPublishedRefusal();
  return formatNoteKey(originOf(config.discoveryUrl), key.publicKey);
};

/**
 * A full tile, or the first `width` entries or hashes of a tile. It contains only what the published checkpoint covers.
 * @returns null if the published tree doesn't have the tile.
 * @throws DomainError unavailable before the first checkpoint.
 */
export const findPublishedTile = async (
  { db }: Pick<Deps, "db">,
  { level, number, width }: TileSlice,
): Promise<Buffer | null> => {
  const { size } = await getCheckpoint({ db });
  if (width > widthOf({ level, number }, size)) return null;
  const tile = await findLogTile(db.sql, { level, number });
  if (!tile) throw new Error(`tile ${number} of level ${level} of the directory's log is missing`);
  return width === tileWidth ? tile : sliceTile(level, tile, width);
};

/**
 * A full bundle of entries with gzip, as it is stored; a partial one, or a full one that isn't stored yet, is compressed
 * now.
 * @returns null if the published tree doesn't have the bundle.
 */
export const findPublishedBundle = async (
  deps: Pick<Deps, "db">,
  { number, width }: { number: number; width: number },
): Promise<Buffer | null> => {
  const stored = width === tileWidth ? await findLogTile(deps.db.sql, { level: compressedLevel, number }) : null;
  if (stored) return stored;
  const bundle = await findPublishedTile(deps, { level: entriesLevel, number, width });
  return bundle && promisify(gzip)(bundle);
};
