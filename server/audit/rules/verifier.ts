import { type Block, type ChainedEntry, groupByMonth, hashHeader, type Layout, shardOf } from "./chain.ts";
import { compareEntries } from "./compare-entries.ts";
import { isMonthOver } from "./retention.ts";

/** One range of a shard: its blocks, one per month, and every existing entry. */
export type Span = {
  shard: number;
  from: number;
  to: number;
  blocks: readonly Block[];
  /** null: entries aren't verified, only the blocks */
  entries: readonly ChainedEntry[] | null;
};

/** An end of a shard's chain that was observed or signed earlier. */
export type KnownEnd = { shard: number; number: number; hash: string };

export type Problem = { shard: number; block: number | null; problem: string };

export type Report = {
  blocks: number;
  entries: number;
  /** expired entries: their blocks represent them */
  retired: number;
  /** entries that were left out deliberately */
  omitted: number;
  problems: Problem[];
};

/** Maximum number of reported problems: enough for a diagnosis, even if the whole chain is broken. */
const maxProblems = 100;

type Position = { number: number; hash: string; to: number };

/**
 * Verifies the chains of all shards from spans, which must arrive in order per shard. It keeps one position per shard,
 * for any length of the log.
 * @param begin the start of each shard's chain; default: its first block.
 * @param anchors ends observed earlier: the chain must still contain them.
 */
export const createVerifier = (input: {
  layout: Layout;
  now: Date;
  begin?: ReadonlyMap<number, Position>;
  anchors?: readonly KnownEnd[];
}) => {
  const report: Report = { blocks: 0, entries: 0, retired: 0, omitted: 0, problems: [] };
  const positions = new Map<number, Position>();
  const anchors = input.anchors ?? [];
  const addProblem = (shard: number, block: number | null, problem: string) => {
    if (report.problems.length < maxProblems) report.problems.push({ shard, block, problem });
  };
  const startOf = (shard: number): Position => input.begin?.get(shard) ?? { number: 0, hash: "", to: 0 };
  const positionOf = (shard: number): Position => positions.get(shard) ?? startOf(shard);

  const checkLink = (block: Block, last: Position) => {
    const { shard, number } = block;
    if (hashHeader(block) !== block.hash) addProblem(shard, number, "the block was changed");
    if (number !== last.number + 1) {
      const what = number <= last.number ? "is repeated or out of order" : `follows block ${last.number}`;
      addProblem(shard, number, `block ${number} ${what}`);
    } else if (block.previous !== last.hash) addProblem(shard, number, "the block does not follow the previous block");
    for (const anchor of anchors) {
      if (anchor.shard === shard && anchor.number === number && anchor.hash !== block.hash) {
        addProblem(shard, number, "the block differs from the signed one");
      }
    }
  };

  const checkEntries = (span: Span, entries: readonly ChainedEntry[]) => {
    const months = new Map(groupByMonth(entries));
    for (const block of span.blocks) {
      const present = months.get(block.month) ?? [];
      months.delete(block.month);
      if (present.length === 0 && isMonthOver(block.month, input.now)) report.retired += block.entries;
      else {
        report.entries += present.length;
        for (const problem of compareEntries(block, present)) addProblem(span.shard, block.number, problem);
      }
    }
    for (const { seq } of [...months.values()].flat()) addProblem(span.shard, null, `entry ${seq} was inserted`);
  };

  return {
    addProblem,
    /** @param span the next span of its shard. */
    add(span: Span): void {
      let last = positionOf(span.shard);
      if (span.from !== last.to)
        addProblem(span.shard, span.blocks[0]?.number ?? null, `no block covers ${last.to} to ${span.from}`);
      for (const block of span.blocks) {
        checkLink(block, last);
        last = { number: block.number, hash: block.hash, to: span.to };
        report.blocks += 1;
      }
      positions.set(span.shard, last);
      if (span.entries === null) {
        for (const block of span.blocks) report.omitted += block.entries;
        return;
      }
      for (const { seq } of span.entries) {
        if (seq <= span.from || seq > span.to || shardOf(seq, input.layout) !== span.shard) {
          addProblem(span.shard, null, `entry ${seq} is out of place`);
        }
      }
      checkEntries(span, span.entries);
    },
    /** @param ends the required end of each shard's chain. */
    finish(ends: readonly KnownEnd[]): Report {
      for (const { shard, number, hash } of ends) {
        const last = positionOf(shard);
        if (last.number !== number)
          addProblem(shard, last.number, `the chain ends here, but should end at block ${number}`);
        else if (last.hash !== hash)
          addProblem(shard, number, "the last block differs from the one in the signed head");
      }
      for (const { shard, number } of anchors) {
        if (number > positionOf(shard).number) addProblem(shard, number, "a signed block is missing");
      }
      return report;
    },
  };
};
