import { type AuditChainRow, findAuditBlocks, findAuditChains } from "../data/audit/audit-chain.ts";
import type { Deps } from "../deps/deps.ts";
import { signAuditHead } from "./audit-head.ts";
import { readSpans } from "./read-spans.ts";
import { layout } from "./rules/chain.ts";
import { formatLine } from "./rules/export-lines.ts";

type ExportDeps = Pick<Deps, "db" | "clock" | "config" | "keys">;

/** The progress of an export, and the end of each shard's chain when it started. */
export type ExportCursor = { shard: number; after: number; ends: readonly number[] };

type Part = { lines: string[]; cursor: ExportCursor | null };

const blocksPerPart = 64;

/**
 * The log as JSON lines with its proof: the start of the chains, the blocks in ranges, each range followed by its
 * entries, and a signed head with the ends of the chains. The file can be verified without the database (`npm run audit
 * -- verify --file`).
 * @param from, to exports only the entries of blocks made in [from, to). The other blocks are exported without their
 *   entries, so that the chain up to the head is complete.
 */
export async function* exportAudit(
  deps: ExportDeps,
  window: { from?: Date | null; to?: Date | null } = {},
): AsyncGenerator<string> {
  for (let cursor: ExportCursor | null = null; ; ) {
    const part: Part = await exportPart(deps, { ...window, cursor });
    yield* part.lines;
    if (!part.cursor) return;
    cursor = part.cursor;
  }
}

/**
 * Returns one part of an export and the cursor of the next part. All parts in order form the whole export.
 * @param cursor null for the first part.
 */
export const exportPart = async (
  deps: ExportDeps,
  { from = null, to = null, cursor }: { from?: Date | null; to?: Date | null; cursor: ExportCursor | null },
): Promise<Part> => {
  const chains = await findAuditChains(deps.db.sql);
  const ends = cursor?.ends ?? chains.map(({ number }) => number);
  const lines = cursor ? [] : [beginningLine(deps, chains, { from, to })];
  const wants = ({ madeAt }: { madeAt: Date }) => (from === null || madeAt >= from) && (to === null || madeAt < to);
  let blocksLeft = blocksPerPart;
  for (const [index, { shard, baseNumber }] of chains.entries()) {
    if (cursor && shard < cursor.shard) continue;
    const after = shard === cursor?.shard ? cursor.after : baseNumber;
    for await (const span of readSpans(deps.db.sql, { shard, after, upTo: ends[index] ?? 0, wants })) {
      for (const block of span.blocks) lines.push(formatLine({ block, isOmitted: span.entries === null }));
      for (const entry of span.entries ?? []) lines.push(formatLine({ entry }));
      blocksLeft -= span.blocks.length;
      if (blocksLeft <= 0) return { lines, cursor: { shard, after: span.blocks.at(-1)?.number ?? after, ends } };
    }
  }
  lines.push(formatLine({ head: await signAuditHead(deps, await endsOf(deps, chains, ends)) }));
  return { lines, cursor: null };
};

const beginningLine = (
  { config, clock }: ExportDeps,
  chains: readonly AuditChainRow[],
  window: { from: Date | null; to: Date | null },
): string => {
  const begin = chains.map((chain) => ({
    shard: chain.shard,
    number: chain.baseNumber,
    hash: chain.baseHash,
    to: chain.baseTo,
  }));
  return formatLine({ export: { version: 1, issuer: config.baseUrl, madeAt: clock.now(), ...window, layout, begin } });
};

/**
 * The chains may have grown since the first part. The head contains the ends at the time of the first part. A shard
 * without blocks in the export ends where it begins.
 */
const endsOf = ({ db }: ExportDeps, chains: readonly AuditChainRow[], ends: readonly number[]) =>
  Promise.all(
    chains.map(async (chain, index) => {
      const end = ends[index] ?? 0;
      if (end === chain.number) return chain;
      const { shard, baseNumber, baseHash, baseMadeAt } = chain;
      if (end === baseNumber) return { shard, number: baseNumber, hash: baseHash, madeAt: baseMadeAt };
      const [block] = await findAuditBlocks(db.sql, { shard, after: end - 1, limit: 1 });
      return block ?? chain;
    }),
  );
