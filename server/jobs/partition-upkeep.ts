import { retireAudit } from "../audit/retire-audit.ts";
import { dropPartitions, ensurePartition, type PartitionedTable } from "../data/partitions.ts";
import type { Deps } from "../deps.ts";
import { addSeconds } from "../kernel/clock.ts";
import type { ScheduledJob } from "./job.ts";

type Plan = { table: PartitionedTable; step: "1 day" | "1 month"; ahead: number; keepSeconds: number | null };

/**
 * Replay stores go by the day of the instant after which a replay is refused anyway, and leave an hour after its end:
 * clocks may differ by a minute, never by that. The audit log and its chain have rules of their own (retireAudit).
 */
const plans: readonly Plan[] = [
  { table: "assertion_jti", step: "1 day", ahead: 3, keepSeconds: 3600 },
  { table: "dpop_jti", step: "1 day", ahead: 3, keepSeconds: 3600 },
  { table: "audit_entry", step: "1 month", ahead: 3, keepSeconds: null },
  { table: "audit_block", step: "1 month", ahead: 3, keepSeconds: null },
];

/** Makes the partitions of now and of the days or months ahead. Belongs before the first traffic, and then each hour. */
export const ensurePartitions = async (deps: Pick<Deps, "db" | "clock" | "log">): Promise<void> => {
  const now = deps.clock.now();
  for (const { table, step, ahead } of plans) {
    for (let count = 0; count < ahead; count++) {
      const from = startOf(step, now, count);
      const isMade = await ensurePartition(deps.db, { table, from, step });
      if (!isMade) deps.log.warn({ table, from }, "rows of this time are in the default partition already");
    }
  }
};

/** Drops the partitions that no check reads any more. @returns how many. */
export const dropOldPartitions = async (deps: Pick<Deps, "db" | "clock">): Promise<number> => {
  let dropped = 0;
  for (const { table, step, keepSeconds } of plans) {
    if (keepSeconds === null) continue;
    dropped += await dropPartitions(deps.db, { table, step, before: addSeconds(deps.clock.now(), -keepSeconds) });
  }
  return dropped + (await retireAudit(deps));
};

/** First instant of the day or month that is `count` after the one of `now`, in UTC. */
const startOf = (step: "1 day" | "1 month", now: Date, count: number): Date =>
  step === "1 day"
    ? new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + count))
    : new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + count, 1));

export const partitionUpkeepJob: ScheduledJob = {
  name: "partition-upkeep",
  cron: "7 * * * *",
  expireInSeconds: 300,
  async run(deps) {
    await ensurePartitions(deps);
    return { dropped: await dropOldPartitions(deps) };
  },
};
