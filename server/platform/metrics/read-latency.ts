import { sumLatency } from "../../data/platform/latency.ts";
import type { Deps } from "../../deps/deps.ts";
import { noDurations, quantileOf } from "./rules/durations.ts";

/**
 * Latencies on the server, in milliseconds. A quantile is null if there were no requests or if it is above ten seconds.
 */
export type Latency = { requests: number; errors: number; p50: number | null; p95: number | null; p99: number | null };

/**
 * Latencies of endpoints since `since`, across all web processes. The newest minute may be missing.
 * @param input.groups lists of operations that are measured together. @returns one result per list, in order.
 */
export const readLatency = async (
  { db }: Pick<Deps, "db">,
  { since, groups }: { since: Date; groups: readonly (readonly string[])[] },
): Promise<Latency[]> => {
  const rows = await sumLatency(db.sql, since, groups.flat());
  return groups.map((operations) => {
    const groupRows = rows.filter(({ operation }) => operations.includes(operation));
    const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);
    const counts = noDurations().map((_, bucket) => sumOf(groupRows.map((row) => row.counts[bucket] ?? 0)));
    return {
      requests: sumOf(groupRows.map(({ requests }) => requests)),
      errors: sumOf(groupRows.map(({ errors }) => errors)),
      p50: quantileOf(counts, 0.5),
      p95: quantileOf(counts, 0.95),
      p99: quantileOf(counts, 0.99),
    };
  });
};
