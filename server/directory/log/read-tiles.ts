import type { Sql } from "../../data/client.ts";
import { findLogTile } from "../../data/directory/log/log.ts";
import type { ReadTile } from "../rules/log/tiles.ts";

/** Reads stored tiles, each at most once. @throws Error if one is missing. */
export const readTiles = (sql: Sql): ReadTile => {
  const known = new Map<string, Buffer>();
  return async ({ level, number }) => {
    const name = `${level}/${number}`;
    const tile = known.get(name) ?? (await findLogTile(sql, { level, number }));
    if (!tile) throw new Error(`tile ${number} of level ${level} of the directory's log is missing`);
    known.set(name, tile);
    return tile;
  };
};
