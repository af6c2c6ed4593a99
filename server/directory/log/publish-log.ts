import type { Sql } from "../../data/client.ts";
import {
  findLogCheckpoint,
  findLogEntries,
  findLogSize,
  lockPublishedLog,
  saveLogCheckpoint,
  saveLogTiles,
} from "../../data/directory/log/log.ts";
import type { Deps } from "../../deps/deps.ts";
import { originOf, signCheckpoint } from "../rules/log/checkpoint.ts";
import { extendTiles } from "../rules/log/extend-tiles.ts";
import { emptyRoot } from "../rules/log/merkle.ts";
import { rangeHash, sliceTile, type TileName, widthOf } from "../rules/log/tiles.ts";
import { ensureLogKey, openLogKey } from "./log-key.ts";
import { readTiles } from "./read-tiles.ts";

type LogDeps = Pick<Deps, "db" | "sealer" | "clock" | "config">;
type Options = {
  /** entries per run, so that a transaction stays short */
  batch?: number;
  /** for tests: called after the tiles are committed, and before the checkpoint is written */
  afterTiles?: () => Promise<void>;
};

/**
 * Publishes committed entries: first their tiles, and once these are committed, a checkpoint of the larger tree
 * (docs/spec/directory.md, Transparency log). Any number of processes may call it concurrently: one of them extends the
 * log. After a crash in between, the next run makes the same tiles, because entries and their indexes never change.
 * @returns the number of newly published entries.
 * @throws Error, and publishes nothing, if a stored tile or the published checkpoint doesn't match the entries.
 */
export const publishLog = async (
  deps: LogDeps,
  { batch = 4_096, afterTiles }: Options = {},
): Promise<{ published: number; hasMore: boolean }> => {
  const origin = originOf(deps.config.discoveryUrl);
  const step = await findStep(deps.db.sql, { origin, batch });
  if (!step) return { published: 0, hasMore: false };
  await ensureLogKey(deps);
  if (!(await deps.db.sqlTransaction((sql) => buildTiles(sql, step)))) return { published: 0, hasMore: false };
  await afterTiles?.();
  const isSigned = await deps.db.sqlTransaction((sql) => publishCheckpoint(deps, sql, { origin, ...step }));
  return { published: isSigned ? step.to - step.from : 0, hasMore: step.to < step.size };
};

/**
 * Publishes all committed entries, unless another process is publishing. A log without entries gets its first
 * checkpoint.
 */
export const publishWholeLog = async (deps: LogDeps): Promise<void> => {
  for (let hasMore = true; hasMore; ) ({ hasMore } = await publishLog(deps));
};

/** Sizes: `from` of the published tree, `to` of the next tree, `size` of the tree with all committed entries. */
type Step = { from: number; to: number; size: number };

/** @returns null if everything is published, under the log's current name. */
const findStep = async (sql: Sql, { origin, batch }: { origin: string; batch: number }): Promise<Step | null> => {
  // The checkpoint is read first. Even if another process publishes in between, the size is then at least that of the
  // checkpoint, because the log never shrinks.
  const checkpoint = await findLogCheckpoint(sql);
  const size = await findLogSize(sql);
  if (checkpoint?.size === size && checkpoint.note.startsWith(`${origin}\n`)) return null;
  const from = checkpoint?.size ?? 0;
  return { from, to: Math.min(size, from + batch), size };
};

/** @returns false if another process is publishing. */
const buildTiles = async (sql: Sql, { from, to }: Step): Promise<boolean> => {
  if (!(await lockPublishedLog(sql))) return false;
  if (from === to) return true;
  const read = readTiles(sql);
  // After a crash a stored tile may have more than the published part.
  const readPublished = async (name: TileName) => sliceTile(name.level, await read(name), widthOf(name, from));
  const entries = await findLogEntries(sql, { start: from, end: to });
  await saveLogTiles(sql, await extendTiles({ size: from, entries, read: readPublished }));
  return true;
};

/** @returns false if another process has published in the meantime, or is publishing. */
const publishCheckpoint = async (
  deps: LogDeps,
  sql: Sql,
  { origin, from, to }: Step & { origin: string },
): Promise<boolean> => {
  const key = await lockPublishedLog(sql);
  const before = await findLogCheckpoint(sql);
  if (!key || (before?.size ?? 0) !== from) return false;
  const read = readTiles(sql);
  const rootAt = (size: number) => (size === 0 ? emptyRoot() : rangeHash({ start: 0, end: size }, read));
  if (before && !(await rootAt(from)).equals(before.rootHash)) {
    throw new Error("the tiles of the directory's log don't match its published checkpoint");
  }
  const rootHash = await rootAt(to);
  const signer = { origin, publicKey: key.publicKey, privateKey: openLogKey(deps, key) };
  const note = signCheckpoint({ size: to, rootHash }, signer);
  await saveLogCheckpoint(sql, { size: to, rootHash, note, publishedAt: deps.clock.now() });
  return true;
};
