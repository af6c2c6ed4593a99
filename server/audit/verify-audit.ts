import {
  type AuditChainRow,
  countAuditEntries,
  findAuditBlocks,
  findAuditChains,
  findAuditSequencesUpTo,
  findLastAuditSequence,
} from "../data/audit/audit-chain.ts";
import type { Sql } from "../data/client.ts";
import type { Deps } from "../deps/deps.ts";
import { DomainError } from "../kernel/errors.ts";
import type { AuditHead } from "./audit-head.ts";
import { readSpans } from "./read-spans.ts";
import { layout, monthOf, shardOf } from "./rules/chain.ts";
import { nextRange } from "./rules/ranges.ts";
import { isMonthOver } from "./rules/retention.ts";
import { createVerifier, type Problem, type Report } from "./rules/verifier.ts";

/** Entries not yet chained: normally those of the last few seconds, more if no worker runs. */
type Waiting = { entries: number; since: Date | null };

export type AuditReport = Report & { waiting: Waiting };

/**
 * Reads the whole log and its chains, and reports the places at which an entry or a block was changed, removed or
 * inserted, up to a maximum number.
 * @param anchors heads that were signed earlier and stored elsewhere. An attacker with database access can rebuild a
 *   chain from some point on. Without an anchor, such a chain can't be distinguished from the original.
 */
export const verifyAudit = async (
  deps: Pick<Deps, "db" | "clock">,
  { anchors = [] }: { anchors?: readonly AuditHead[] } = {},
): Promise<AuditReport> => {
  const { sql } = deps.db;
  const now = deps.clock.now();
  const chains = await findAuditChains(sql);
  const verifier = createVerifier({
    layout,
    now,
    begin: new Map(
      chains.map(({ shard, baseNumber, baseHash, baseTo }) => [
        shard,
        { number: baseNumber, hash: baseHash, to: baseTo },
      ]),
    ),
    anchors: anchors.flatMap(({ shards }) => shards),
  });
  for (const { shard, number, baseNumber } of chains) {
    for await (const span of readSpans(sql, { shard, after: baseNumber, upTo: number })) verifier.add(span);
  }
  for (const { shard, block, problem } of [
    ...missingChains(chains),
    ...earlyRemovals(chains, anchors, now),
    ...(await entriesBeforeBeginnings(sql, chains)),
    ...(await renumberedEntries(sql, chains)),
  ]) {
    verifier.addProblem(shard, block, problem);
  }
  return { ...verifier.finish(chains), waiting: await countWaiting(sql, chains) };
};

const blocksPerPart = 256;

/**
 * Verifies some blocks of one shard, for callers that can't wait for the whole chain.
 * @param after the block before the first one to verify.
 * @returns `next`: the start of the next part, null at the shard's end.
 */
export const verifyAuditPart = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { shard, after }: { shard: number; after: number },
): Promise<Report & { next: number | null }> => {
  const chain = (await findAuditChains(db.sql)).find((one) => one.shard === shard);
  if (!chain) throw new DomainError("not_found", { code: "not_found", message: "Shard not found." });
  const isAtBase = after <= chain.baseNumber;
  const [before] = isAtBase ? [] : await findAuditBlocks(db.sql, { shard, after: after - 1, limit: 1 });
  const base = { number: chain.baseNumber, hash: chain.baseHash, to: chain.baseTo };
  const begin = before ?? (isAtBase ? base : { ...base, number: after });
  const verifier = createVerifier({ layout, now: clock.now(), begin: new Map([[shard, begin]]) });
  let last = begin.number;
  for await (const span of readSpans(db.sql, { shard, after: begin.number, upTo: chain.number })) {
    verifier.add(span);
    last = span.blocks.at(-1)?.number ?? last;
    if (last - begin.number >= blocksPerPart && last < chain.number) return { ...verifier.finish([]), next: last };
  }
  return { ...verifier.finish([chain]), next: null };
};

const missingChains = (chains: readonly AuditChainRow[]): Problem[] =>
  Array.from({ length: layout.shards }, (_, shard) => shard)
    .filter((shard) => !chains.some((chain) => chain.shard === shard))
    .map((shard) => ({ shard, block: null, problem: "the shard's chain is missing" }));

/** Blocks must not be deleted before they are ten years old. */
const earlyRemovals = (chains: readonly AuditChainRow[], anchors: readonly AuditHead[], now: Date): Problem[] => {
  const isOver = (madeAt: Date | null) => madeAt !== null && isMonthOver(monthOf(madeAt), now);
  return chains.flatMap(({ shard, baseNumber, baseMadeAt }) => {
    if (baseNumber === 0) return [];
    const signed = anchors
      .flatMap(({ shards }) => shards)
      .filter((end) => end.shard === shard && end.number <= baseNumber);
    return [
      ...(isOver(baseMadeAt)
        ? []
        : [{ shard, block: baseNumber, problem: "blocks up to this one were removed too early" }]),
      ...signed
        .filter(({ number, madeAt }) => number > 0 && !isOver(madeAt))
        .map(({ number }) => ({ shard, block: number, problem: "a signed block is missing" })),
    ];
  });
};

/** Maximum number of reported entries before the beginning of a chain. */
const maxReportedEntries = 100;

const entriesBeforeBeginnings = async (sql: Sql, chains: readonly AuditChainRow[]): Promise<Problem[]> => {
  const sequences = await findAuditSequencesUpTo(
    sql,
    Math.max(0, ...chains.map(({ baseTo }) => baseTo)),
    maxReportedEntries,
  );
  return sequences.flatMap((seq) => {
    const shard = seq < 1 ? 0 : shardOf(seq, layout);
    const chain = chains.find((one) => one.shard === shard);
    return chain && seq > chain.baseTo
      ? []
      : [{ shard, block: null, problem: `entry ${seq} was inserted before the chain's beginning` }];
  });
};

const renumberedEntries = async (sql: Sql, chains: readonly AuditChainRow[]): Promise<Problem[]> => {
  const last = await findLastAuditSequence(sql);
  return chains
    .filter(({ to }) => to > last)
    .map(({ shard, number, to }) => ({
      shard,
      block: number,
      problem: `the sequence is at ${last}, but the chain ends at entry ${to}: numbers can be assigned twice`,
    }));
};

const countWaiting = async (sql: Sql, chains: readonly AuditChainRow[]): Promise<Waiting> => {
  const last = await findLastAuditSequence(sql);
  const waiting: Waiting = { entries: 0, since: null };
  for (const { shard, to } of chains) {
    for (let range = nextRange({ shard, from: to, upTo: last }, layout); range; ) {
      const { entries, since } = await countAuditEntries(sql, range);
      waiting.entries += entries;
      if (since && (!waiting.since || since < waiting.since)) waiting.since = since;
      range = nextRange({ shard, from: range.to, upTo: last }, layout);
    }
  }
  return waiting;
};
