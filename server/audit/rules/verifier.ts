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

/** The end of a shard's chain, as observed or signed at an earlier time. */
export type KnownEnd = { shard: number; number: number; hash: string };

export type Problem = { shard: number; block: number | null; problem: string };

export type Report = {
  blocks: number;
  entries: number;
  /** entries that expired and were deleted; their blocks still exist */
  retired: number;
  /** entries of blocks that are verified without their entries */
  omitted: number;
  problems: Problem[];
};

/** Maximum number of reported problems: enough for a diagnosis, even if the whole chain is broken. */
const maxProblems = 100;

type Position = { number: number; hash: string; to: number };

type Input = {
  layout: Layout;
  now: Date;
  /** the start of each shard's chain; default: its first block */
  begin?: ReadonlyMap<number, Position>;
  /** ends that were observed earlier: each chain must still contain them */
  anchors?: readonly KnownEnd[];
};

/** Blocks cover consecutive ranges (from, to] of entries. */
const gapProblem = (end: number, from: number): string =>
  from > end ? `no block covers the entries ${end + 1} to ${from}` : `an earlier block also covers entry ${from + 1}`;

/**
 * Verifies the chains of all shards from spans, which must arrive in order per shard. It stores only one position per
 * shard, even if the log is long.
 */
export const createVerifier = (input: Input) => {
  const report: Report = { blocks: 0, entries: 0, retired: 0, omitted: 0, problems: [] };
  const positions = new Map<number, Position>();
  const anchors = input.anchors ?? [];
  const addProblem = (shard: number, block: number | null, problem: string) => {
    if (report.problems.length < maxProblems) report.problems.push({ shard, block, problem });
  };
  const startOf = (shard: number): Position => input.begin?.get(shard) ?? { number: 0, hash: "", to: 0 };
  const positionOf = (shard: number): Position => positions.get(shard) ?? startOf(shard);

  const addBlocks = (span: Span): void => {
    let last = positionOf(span.shard);
    if (span.from !== last.to) addProblem(span.shard, span.blocks[0]?.number ?? null, gapProblem(last.to, span.from));
    for (const block of span.blocks) {
      for (const problem of checkBlock(block, last, anchors)) addProblem(block.shard, block.number, problem);
      last = { number: block.number, hash: block.hash, to: span.to };
      report.blocks += 1;
    }
    positions.set(span.shard, last);
  };

  return {
    addProblem,
    /** @param span the next span of its shard. */
    add(span: Span): void {
      addBlocks(span);
      if (span.entries === null) {
        for (const block of span.blocks) report.omitted += block.entries;
        return;
      }
      const checked = checkEntries(span, span.entries, input);
      report.entries += checked.entries;
      report.retired += checked.retired;
      for (const { block, problem } of checked.problems) addProblem(span.shard, block, problem);
    },
    /** @param ends the required end of each shard's chain. */
    finish(ends: readonly KnownEnd[]): Report {
      for (const { shard, number, hash } of ends) {
        const last = positionOf(shard);
        if (last.number !== number)
          addProblem(shard, last.number, `the chain ends here, but should end at block ${number}`);
        else if (last.hash !== hash)
          addProblem(shard, number, "the last block differs from the recorded end of the chain");
      }
      for (const { shard, number } of anchors) {
        if (number > positionOf(shard).number) addProblem(shard, number, "a signed block is missing");
      }
      return report;
    },
  };
};

/** @returns the problems of one block, its link to the previous block included. */
const checkBlock = (block: Block, last: Position, anchors: readonly KnownEnd[]): string[] => {
  const { shard, number } = block;
  const problems: string[] = [];
  if (hashHeader(block) !== block.hash) problems.push("the block was changed");
  if (number !== last.number + 1) {
    const what = number <= last.number ? "is repeated or out of order" : `follows block ${last.number}`;
    problems.push(`block ${number} ${what}`);
  } else if (block.previous !== last.hash) problems.push("the block does not follow the previous block");
  for (const anchor of anchors) {
    if (anchor.shard === shard && anchor.number === number && anchor.hash !== block.hash) {
      problems.push("the block differs from the signed one");
    }
  }
  return problems;
};

type CheckedEntries = Pick<Report, "entries" | "retired"> & { problems: Omit<Problem, "shard">[] };

/** Compares the entries of a span with its range and its blocks. */
const checkEntries = (span: Span, entries: readonly ChainedEntry[], { layout, now }: Input): CheckedEntries => {
  const checked: CheckedEntries = { entries: 0, retired: 0, problems: [] };
  for (const { seq } of entries) {
    if (seq <= span.from || seq > span.to || shardOf(seq, layout) !== span.shard) {
      checked.problems.push({ block: null, problem: `entry ${seq} is out of place` });
    }
  }
  const months = new Map(groupByMonth(entries));
  for (const block of span.blocks) {
    const present = months.get(block.month) ?? [];
    months.delete(block.month);
    if (present.length === 0 && isMonthOver(block.month, now)) checked.retired += block.entries;
    else {
      checked.entries += present.length;
      for (const problem of compareEntries(block, present)) checked.problems.push({ block: block.number, problem });
    }
  }
  for (const { seq } of [...months.values()].flat()) {
    checked.problems.push({ block: null, problem: `entry ${seq} was inserted` });
  }
  return checked;
};
