import { sumLatency } from "../../data/platform/latency.ts";
import type { Deps } from "../../deps/deps.ts";
import { noDurations, quantileOf } from "./rules/durations.ts";

/** In milliseconds on the server; null where there was nothing to measure, or it is beyond ten seconds. */
export type Latency = { requests: number; errors: number; p50: number | null; p95: number | null; p99: number | null };

/**
 * What endpoints took since `since`, as it was measured: by all web processes together, no more than a minute late.
 * @param input.groups operations that are measured together, each list by itself. @returns one for each, in their order.
 */
export const readLatency = async (
  { db }: Pick<Deps, "db">,
  { since, groups }: { since: Date; groups: readonly (readonly string[])[] },
): Promise<Latency[]> => {
  const rows = await sumLatency(db.sql, since, groups.flat());
  return groups.map((operations) => {
    const ofIt = rows.filter(({ operation }) => operations.includes(operation));
    const sumOf = (numbers: readonly number[]) => numbers.reduce((sum, one) => sum + one, 0);
    const counts = noDurations().map((_, bucket) => sumOf(ofIt.map((row) => row.counts[bucket] ?? 0)));
    return {
      requests: sumOf(ofIt.map(({ requests }) => requests)),
      errors: sumOf(ofIt.map(({ errors }) => errors)),
      p50: quantileOf(counts, 0.5),
      p95: quantileOf(counts, 0.95),
      p99: quantileOf(counts, 0.99),
    };
  });
};
