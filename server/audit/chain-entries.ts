import { setTimeout as sleep } from "node:timers/promises";
import {
  type AuditChainRow,
  appendAuditBlocks,
  findAuditChains,
  findAuditEntries,
  findAuditWriters,
  findLastAuditSequence,
  findNextAuditSequence,
  lockAuditChain,
} from "../data/audit/audit-chain.ts";
import type { Sql } from "../data/client.ts";
import type { Deps } from "../deps/deps.ts";
import { type Block, chainRange, layout } from "./rules/chain.ts";
import { nextRange } from "./rules/ranges.ts";

/** Longer than the maximum duration of our transactions. */
const maxWaitSeconds = 30;
/** Maximum number of stripes per transaction, so that a shard is locked only briefly. */
const stripesAtOnce = 8;

/**
 * Chains the entries committed since the last run, shard by shard, and skips a shard that another worker has locked.
 * With any number of workers, each shard still has one chain. Chaining never delays writers of the log.
 * @returns the number of chained entries. If a transaction was open for too long, the next run chains the remaining
 *   entries.
 */
export const chainEntries = async (
  deps: Pick<Deps, "db" | "clock">,
  { waitSeconds = maxWaitSeconds }: { waitSeconds?: number } = {},
): Promise<number> => {
  const chains = await findAuditChains(deps.db.sql);
  const last = await findLastAuditSequence(deps.db.sql);
  for (const chain of chains) assertNotBehind(chain, last);
  let done = 0;
  for (const { shard, to } of chains) {
    if (!nextRange({ shard, from: to, upTo: last }, layout)) continue;
    for (let more = true; more; ) {
      const chained = await deps.db.sqlTransaction((sql) => chainShard(deps, sql, { shard, waitSeconds }));
      done += chained.entries;
      more = chained.hasMore;
    }
  }
  return done;
};

const chainShard = async (
  { clock }: Pick<Deps, "clock">,
  sql: Sql,
  { shard, waitSeconds }: { shard: number; waitSeconds: number },
): Promise<{ entries: number; hasMore: boolean }> => {
  const settled = await awaitSettled(sql, waitSeconds);
  const chain = settled === null ? null : await lockAuditChain(sql, shard);
  if (settled === null || chain === null) return { entries: 0, hasMore: false };
  const blocks: Block[] = [];
  let end: Pick<Block, "shard" | "number" | "hash" | "to"> & { madeAt: Date | null } = chain;
  let from = chain.to;
  let range = nextRange({ shard, from, upTo: settled }, layout);
  for (let stripes = 0; range && stripes < stripesAtOnce; ) {
    const entries = await findAuditEntries(sql, range);
    if (entries.length > 0) {
      blocks.push(...chainRange(end, { to: range.to, entries, now: clock.now() }));
      end = blocks.at(-1) ?? end;
      from = range.to;
      stripes += 1;
    } else {
      // These numbers belong to rolled-back transactions, so skip to the next existing entry.
      const next = await findNextAuditSequence(sql, range.to);
      if (next === null || next > settled) return finish(sql, blocks, false);
      from = Math.max(range.to, next - 1);
    }
    range = nextRange({ shard, from, upTo: settled }, layout);
  }
  return finish(sql, blocks, range !== null);
};

const finish = async (sql: Sql, blocks: readonly Block[], hasMore: boolean) => {
  await appendAuditBlocks(sql, blocks);
  return { entries: blocks.reduce((total, block) => total + block.entries, 0), hasMore };
};

/**
 * Returns a sequence number. No entry with this number or a lower number can be committed any more. Transactions get
 * their numbers before they end, and end in any order. Each holds a lock on the log from its first number until its
 * end. So this function reads the last number, finds the transactions that hold the lock, and waits until all of them
 * have ended. The number is the only state, so chaining also continues in a restored dump.
 * @returns null if one of these transactions didn't end in time.
 */
const awaitSettled = async (sql: Sql, waitSeconds: number): Promise<number | null> => {
  const last = await findLastAuditSequence(sql);
  const before = await findAuditWriters(sql);
  const deadline = performance.now() + waitSeconds * 1000;
  for (let wait = 2; before.size > 0; wait = Math.min(wait * 2, 100)) {
    if (performance.now() >= deadline) return null;
    await sleep(wait);
    const now = await findAuditWriters(sql);
    for (const writer of before) if (!now.has(writer)) before.delete(writer);
  }
  return last;
};

/**
 * If the sequence was set back, it assigns the same numbers again. The entries with these numbers would never be
 * chained.
 */
const assertNotBehind = ({ shard, to }: Pick<AuditChainRow, "shard" | "to">, last: number): void => {
  if (to > last) throw new Error(`audit_entry_seq is at ${last}, behind shard ${shard}, which is chained up to ${to}`);
};
