import { trpc } from "../../portal/acts/trpc-client.ts";

export type ChainReport = { entries: number; blocks: number; retired: number; problems: string[] };

/** Controls a task that runs in parts: the page can stop the task, and shows its progress. */
export type Progress = { isStopped: () => boolean; show: (text: string) => void };

/** @returns null if the verification was stopped. */
export const verifyChain = async (shards: number, { isStopped, show }: Progress): Promise<ChainReport | null> => {
  const report: ChainReport = { entries: 0, blocks: 0, retired: 0, problems: [] };
  for (let shard = 0; shard < shards; shard += 1) {
    for (let after: number | null = 0; after !== null; ) {
      if (isStopped()) return null;
      const part: Awaited<ReturnType<typeof trpc.operator.verifyAudit.query>> = await trpc.operator.verifyAudit.query({
        shard,
        after,
      });
      report.entries += part.entries;
      report.blocks += part.blocks;
      report.retired += part.retired;
      report.problems.push(
        ...part.problems.map(({ block, problem }) => `chain ${shard + 1}, block ${block ?? "–"}: ${problem}`),
      );
      show(`Chain ${shard + 1} of ${shards}: ${report.entries.toLocaleString("en-GB")} entries verified`);
      after = part.next;
    }
  }
  return report;
};
