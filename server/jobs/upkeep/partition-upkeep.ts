import { retireAudit } from "../../audit/retire-audit.ts";
import {
  dropEventMonths,
  dropPartitions,
  ensurePartition,
  listPartitions,
  type PartitionedTable,
  type PartitionStep,
  partitionName,
} from "../../data/schema/partitions.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import { utcMonth } from "../../kernel/time/utc-month.ts";
import type { ScheduledJob } from "../job.ts";

type Plan = {
  table: PartitionedTable;
  step: PartitionStep;
  /** number of partitions, starting with the current one */
  ahead: number;
  /** how long a partition is kept after its end; null: a separate rule below applies */
  keepSeconds: number | null;
};

const hour = 3600;
const day = 24 * hour;
/** Ten years and their leap days, to the day (docs/spec/operations.md, Data retention: charges). */
const tenYears = 3653 * day;
/**
 * No object has a longer gap between two events: mandates last at most a year, and disputes arrive within 18 months.
 */
const eventSeconds = 760 * day;
/** 13 months, to the day (docs/spec/operations.md, Data retention: usage events). */
export const usageSeconds = 397 * day;

/**
 * Replay stores are partitioned by a time in the JWT: `exp` of an assertion, `iat` of a proof. A minute after this
 * time, the JWT is refused anyway. Requests, codes and tokens are partitioned by their expiry. These partitions are
 * dropped one hour after their end (clocks may differ by a minute, never by an hour). Rows that distinguish reuse from
 * an unknown value are kept longer. The audit log with its chain (retireAudit) and events have separate rules.
 */
const plans: readonly Plan[] = [
  { table: "assertion_jti", step: "1 day", ahead: 3, keepSeconds: hour },
  { table: "dpop_jti", step: "1 day", ahead: 3, keepSeconds: hour },
  { table: "pushed_request", step: "1 day", ahead: 3, keepSeconds: hour },
  { table: "token_denial", step: "1 day", ahead: 3, keepSeconds: hour },
  { table: "authorization_code", step: "1 day", ahead: 3, keepSeconds: day },
  // Refresh tokens are valid for up to a year.
  { table: "refresh_token", step: "1 month", ahead: 14, keepSeconds: 30 * day },
  { table: "webhook_delivery", step: "1 day", ahead: 3, keepSeconds: 30 * day },
  { table: "webhook_attempt", step: "1 day", ahead: 3, keepSeconds: 30 * day },
  { table: "verification_log", step: "1 day", ahead: 3, keepSeconds: 30 * day },
  { table: "api_log", step: "1 day", ahead: 3, keepSeconds: 30 * day },
  { table: "mail", step: "1 day", ahead: 3, keepSeconds: 30 * day },
  { table: "charge", step: "1 month", ahead: 3, keepSeconds: tenYears },
  { table: "refund", step: "1 month", ahead: 3, keepSeconds: tenYears },
  { table: "dispute", step: "1 month", ahead: 3, keepSeconds: tenYears },
  { table: "usage_event", step: "1 month", ahead: 3, keepSeconds: usageSeconds },
  { table: "usage_hour", step: "1 month", ahead: 3, keepSeconds: usageSeconds },
  { table: "verification", step: "1 month", ahead: 3, keepSeconds: usageSeconds },
  { table: "verification_minute", step: "1 month", ahead: 3, keepSeconds: usageSeconds },
  { table: "meter_event", step: "1 month", ahead: 3, keepSeconds: usageSeconds },
  { table: "meter_minute", step: "1 month", ahead: 3, keepSeconds: usageSeconds },
  { table: "meter_reconciliation", step: "1 month", ahead: 3, keepSeconds: usageSeconds },
  { table: "charge_amount_day", step: "1 month", ahead: 3, keepSeconds: usageSeconds },
  { table: "charge_mandate_day", step: "1 month", ahead: 3, keepSeconds: usageSeconds },
  { table: "event", step: "1 month", ahead: 3, keepSeconds: null },
  { table: "audit_entry", step: "1 month", ahead: 3, keepSeconds: null },
  { table: "audit_block", step: "1 month", ahead: 3, keepSeconds: null },
];

/**
 * Creates the current partitions and those of the coming days or months. Must run before the first traffic and then
 * every hour.
 */
export const ensurePartitions = async (deps: Pick<Deps, "db" | "clock" | "log">): Promise<void> => {
  const now = deps.clock.now();
  const tables = plans.map(({ table }) => table);
  const known = await listPartitions(deps.db, tables);
  for (const { table, step, ahead } of plans) {
    for (let count = 0; count < ahead; count++) {
      const from = startOf(step, now, count);
      if (known.has(partitionName(table, from))) continue;
      const isMade = await ensurePartition(deps.db, { table, from, step });
      if (!isMade) deps.log.warn({ table, from }, "the default partition already contains rows of this period");
    }
  }
};

/** Drops the partitions whose retention period has ended. @returns the number of dropped partitions. */
export const dropOldPartitions = async (deps: Pick<Deps, "db" | "clock">): Promise<number> => {
  const now = deps.clock.now();
  let dropped = 0;
  for (const { table, step, keepSeconds } of plans) {
    if (keepSeconds === null) continue;
    dropped += await dropPartitions(deps.db, { table, step, before: addSeconds(now, -keepSeconds) });
  }
  dropped += await dropEventMonths(deps.db, addSeconds(now, -eventSeconds));
  return dropped + (await retireAudit(deps));
};

/** First instant of the day or month that is `count` days or months after the current one, in UTC. */
const startOf = (step: PartitionStep, now: Date, count: number): Date =>
  step === "1 day"
    ? new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate() + count))
    : utcMonth(now, count).from;

export const partitionUpkeepJob: ScheduledJob = {
  name: "partition-upkeep",
  cron: "7 * * * *",
  expireInSeconds: 300,
  async run(deps) {
    await ensurePartitions(deps);
    return { dropped: await dropOldPartitions(deps) };
  },
};
