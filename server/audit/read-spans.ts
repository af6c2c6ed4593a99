import { type AuditBlockRow, findAuditBlocks, findAuditEntries } from "../data/audit/audit-chain.ts";
import type { Sql } from "../data/client.ts";
import type { ChainedEntry } from "./rules/chain.ts";
import { layout } from "./rules/chain.ts";
import { nextRange } from "./rules/ranges.ts";
import type { Span } from "./rules/verifier.ts";

const blocksAtOnce = 64;

/**
 * Reads one shard's chain after block `after` up to block `upTo`, span by span, with the log's current entries.
 * @param wants false for a block whose entries aren't needed. A span has entries only if one of its blocks is wanted.
 */
export async function* readSpans(
  sql: Sql,
  {
    shard,
    after,
    upTo,
    wants = () => true,
  }: { shard: number; after: number; upTo: number; wants?: (block: AuditBlockRow) => boolean },
): AsyncGenerator<Span> {
  let open: AuditBlockRow[] = [];
  for (let last = after; last < upTo; ) {
    const blocks = (await findAuditBlocks(sql, { shard, after: last, limit: blocksAtOnce })).filter(
      ({ number }) => number <= upTo,
    );
    for (const block of blocks) {
      const [first] = open;
      if (first && (first.from !== block.from || first.to !== block.to)) {
        yield await toSpan(sql, open, wants);
        open = [];
      }
      open.push(block);
    }
    const end = blocks.at(-1);
    if (!end) break;
    last = end.number;
  }
  if (open.length > 0) yield await toSpan(sql, open, wants);
}

const toSpan = async (
  sql: Sql,
  blocks: readonly AuditBlockRow[],
  wants: (block: AuditBlockRow) => boolean,
): Promise<Span> => {
  const { shard, from, to } = blocks[0] ?? { shard: 0, from: 0, to: 0 };
  const entries = blocks.some(wants) ? await readOwnEntries(sql, { shard, from, to }) : null;
  return { shard, from, to, blocks, entries };
};

/** The entries in (from, to] that are in this shard's stripes. */
const readOwnEntries = async (
  sql: Sql,
  { shard, from, to }: { shard: number; from: number; to: number },
): Promise<ChainedEntry[]> => {
  const entries: ChainedEntry[] = [];
  for (let range = nextRange({ shard, from, upTo: to }, layout); range; ) {
    entries.push(...(await findAuditEntries(sql, range)));
    range = nextRange({ shard, from: range.to, upTo: to }, layout);
  }
  return entries;
};
