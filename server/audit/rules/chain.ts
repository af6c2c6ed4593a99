import { hash } from "node:crypto";
import canonicalize from "canonicalize";
import type { Json, JsonObject } from "../../kernel/text/json.ts";

/**
 * Entries are grouped into stripes by their sequence, and stripe n belongs to shard n mod `shards`. Each shard has its
 * own chain, so as many workers as there are shards can append concurrently.
 */
export const layout = { shards: 4, stripe: 1024 } as const;
export type Layout = { readonly shards: number; readonly stripe: number };

export type ChainedEntry = {
  /** from a sequence: unique, increasing, with gaps for rolled-back transactions */
  seq: number;
  at: Date;
  actorKind: string;
  actorId: string;
  action: string;
  subjectId: string;
  requestId: string;
  data: JsonObject;
};

/**
 * The hashed part of a block, which covers all earlier blocks of its shard's chain (docs/spec/operations.md, Audit
 * log).
 */
export type BlockHeader = {
  shard: number;
  /** from 1, without gaps */
  number: number;
  madeAt: Date;
  /** `2026-11`: the month of its entries, which are deleted together when they expire */
  month: string;
  /**
   * the block covers this shard's entries in (from, to]; if they are of several months, one block per month has this
   * range
   */
  from: number;
  to: number;
  entries: number;
  /** SHA-256 over the entries' own hashes, in order */
  content: string;
  /** hash of the previous block, empty in the first block */
  previous: string;
};

export type Block = BlockHeader & {
  hash: string;
  /** the first bytes of each entry's hash; they prove nothing, but show which entry was changed */
  marks: Buffer;
};

export const markBytes = 8;

export const shardOf = (seq: number, { shards, stripe }: Layout): number => Math.floor(seq / stripe) % shards;

/** The entry's month in UTC. All entries of a month are deleted together. */
export const monthOf = (at: Date): string => at.toISOString().slice(0, 7);

/** Canonical JSON (RFC 8785). */
const canonical = (value: Json): string => {
  const text = canonicalize(value);
  if (text === undefined) throw new Error("not a JSON value");
  return text;
};

export const entryToJson = (entry: ChainedEntry) => ({
  seq: entry.seq,
  at: entry.at.toISOString(),
  actor: { kind: entry.actorKind, id: entry.actorId },
  action: entry.action,
  subject_id: entry.subjectId,
  request_id: entry.requestId,
  data: entry.data,
});

export const headerToJson = (header: BlockHeader) => ({
  shard: header.shard,
  number: header.number,
  made_at: header.madeAt.toISOString(),
  month: header.month,
  from: header.from,
  to: header.to,
  entries: header.entries,
  content: header.content,
  previous: header.previous,
});

export const hashEntry = (entry: ChainedEntry): Buffer => hash("sha256", canonical(entryToJson(entry)), "buffer");

export const hashHeader = (header: BlockHeader): string => hash("sha256", canonical(headerToJson(header)), "base64url");

export const hashContent = (hashes: readonly Buffer[]): string => hash("sha256", Buffer.concat(hashes), "base64url");

const marksOf = (hashes: readonly Buffer[]): Buffer =>
  Buffer.concat(hashes.map((entryHash) => entryHash.subarray(0, markBytes)));

/** The end of a shard's chain: the next block's `previous` and `from`. */
export type ChainEnd = { shard: number; number: number; hash: string; to: number; madeAt: Date | null };

/**
 * Makes the blocks of one range of a shard, one per month of its entries.
 * @param entries all entries of the range, by `seq`.
 */
export const chainRange = (
  end: ChainEnd,
  range: { to: number; entries: readonly ChainedEntry[]; now: Date },
): Block[] => {
  const blocks: Block[] = [];
  let { number, hash: previous } = end;
  // Never earlier than the time of the previous block, even if this machine's clock is slow, because blocks are deleted
  // oldest first.
  const madeAt = end.madeAt && end.madeAt > range.now ? end.madeAt : range.now;
  for (const [month, entries] of groupByMonth(range.entries)) {
    const hashes = entries.map(hashEntry);
    number += 1;
    const header: BlockHeader = {
      shard: end.shard,
      number,
      madeAt,
      month,
      from: end.to,
      to: range.to,
      entries: entries.length,
      content: hashContent(hashes),
      previous,
    };
    const block = { ...header, hash: hashHeader(header), marks: marksOf(hashes) };
    blocks.push(block);
    previous = block.hash;
  }
  return blocks;
};

/** Groups entries by month, in order. Entries keep their order within a month. */
export const groupByMonth = (entries: readonly ChainedEntry[]): [string, ChainedEntry[]][] => {
  const months = new Map<string, ChainedEntry[]>();
  for (const entry of entries) {
    const month = monthOf(entry.at);
    const known = months.get(month);
    if (known) known.push(entry);
    else months.set(month, [entry]);
  }
  return [...months].sort(([left], [right]) => (left < right ? -1 : 1));
};
