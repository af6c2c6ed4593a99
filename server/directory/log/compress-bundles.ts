import { promisify } from "node:util";
import { gzip } from "node:zlib";
import type { Sql } from "../../data/client.ts";
import {
  findLastLogTile,
  findLogCheckpoint,
  findLogTile,
  insertLogTile,
  lockPublishedLog,
} from "../../data/directory/log/log.ts";
import type { Deps } from "../../deps/deps.ts";
import { compressedLevel, entriesLevel, tileWidth } from "../rules/log/tiles.ts";

/**
 * Compresses the full entry bundles of the published tree with gzip and stores them, in order, at most `bundles` per
 * call. A full bundle never changes, so it is compressed only once. Only one process at a time does this.
 */
export const compressBundles = async (
  { db }: Pick<Deps, "db">,
  { bundles = 20 }: { bundles?: number } = {},
): Promise<{ stored: number; hasMore: boolean }> => {
  let stored = 0;
  while (stored < bundles && (await db.sqlTransaction(compressNextBundle))) stored += 1;
  return { stored, hasMore: stored === bundles };
};

/** @returns false if the next bundle isn't full yet, or another process has the lock. */
const compressNextBundle = async (sql: Sql): Promise<boolean> => {
  if (!(await lockPublishedLog(sql))) return false;
  const checkpoint = await findLogCheckpoint(sql);
  const last = await findLastLogTile(sql, compressedLevel);
  const number = last === null ? 0 : last + 1;
  if ((number + 1) * tileWidth > (checkpoint?.size ?? 0)) return false;
  const bundle = await findLogTile(sql, { level: entriesLevel, number });
  if (!bundle) throw new Error(`bundle ${number} of the directory's log is missing`);
  await insertLogTile(sql, { level: compressedLevel, number, bytes: await promisify(gzip)(bundle) });
  return true;
};
