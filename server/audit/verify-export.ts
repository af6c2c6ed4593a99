import { type AuditHead, readAuditHead } from "./audit-head.ts";
import type { Block, ChainedEntry } from "./rules/chain.ts";
import { parseLine } from "./rules/export-lines.ts";
import { createVerifier, type Report } from "./rules/verifier.ts";

export type ExportReport = Report & { issuer: string; madeAt: Date; head: AuditHead | null };

/**
 * Verifies an export without the database: every entry against its block, every block against the previous one, the
 * last blocks against the signed head. Keeps the entries of one range in memory at a time.
 * @param anchors earlier heads, which the chain must contain.
 * @throws Error if the file isn't an export, with the line number unless the file is empty.
 */
export const verifyExport = async (
  lines: AsyncIterable<string>,
  { anchors = [], now }: { anchors?: readonly AuditHead[]; now: Date },
): Promise<ExportReport> => {
  let number = 0;
  let check: Check | null = null;
  for await (const text of lines) {
    number += 1;
    if (text === "") continue;
    try {
      const line = parseLine(text);
      if ("export" in line) check = startCheck(line.export, anchors, now);
      else if (!check) throw new Error("the first line is not the header of an export");
      else if ("block" in line) check.block(line.block, line.isOmitted);
      else if ("entry" in line) check.entry(line.entry);
      else await check.head(line.head);
    } catch (error) {
      throw new Error(`line ${number}: ${error instanceof Error ? error.message : error}`, { cause: error });
    }
  }
  if (!check) throw new Error("the file is empty");
  return check.finish();
};

type Check = ReturnType<typeof startCheck>;
type Beginning = Extract<ReturnType<typeof parseLine>, { export: unknown }>["export"];

const startCheck = (
  { issuer, madeAt, from, to, layout, begin }: Beginning,
  anchors: readonly AuditHead[],
  now: Date,
) => {
  const verifier = createVerifier({
    layout,
    // Entries that had expired when the export was made aren't in it. If the export claims to be from the future, the
    // current time is used.
    now: madeAt < now ? madeAt : now,
    begin: new Map(begin.map((position) => [position.shard, position])),
    anchors: anchors.flatMap(({ shards }) => shards),
  });
  let open: { blocks: Block[]; entries: ChainedEntry[]; isOmitted: boolean } | null = null;
  let signed: AuditHead | null = null;
  const close = () => {
    const [first] = open?.blocks ?? [];
    if (open && first) {
      const { shard, from, to } = first;
      verifier.add({ shard, from, to, blocks: open.blocks, entries: open.isOmitted ? null : open.entries });
    }
    open = null;
  };
  return {
    block(block: Block, isOmitted: boolean) {
      const isOutside = (from !== null && block.madeAt < from) || (to !== null && block.madeAt >= to);
      if (isOmitted !== isOutside)
        verifier.addProblem(block.shard, block.number, "its entries are missing, or don't belong in the export");
      const last: Block | undefined = open?.blocks.at(-1);
      const isSameRange = last?.shard === block.shard && last.from === block.from && last.to === block.to;
      if (open && isSameRange && open.entries.length === 0) open.blocks.push(block);
      else {
        close();
        open = { blocks: [block], entries: [], isOmitted };
      }
    },
    entry(entry: ChainedEntry) {
      if (open) open.entries.push(entry);
      else verifier.addProblem(0, null, `entry ${entry.seq} belongs to no block`);
    },
    async head(token: string) {
      close();
      signed = await readAuditHead(token);
      if (signed.issuer !== issuer) verifier.addProblem(0, null, "the head has another issuer");
    },
    finish(): ExportReport {
      close();
      if (!signed) verifier.addProblem(0, null, "the export has no signed head: its end may be missing");
      return { ...verifier.finish(signed?.shards ?? []), issuer, madeAt, head: signed };
    },
  };
};
