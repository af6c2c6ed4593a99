import { sumLatency } from "../data/latency.ts";
import type { Deps } from "../deps.ts";
import { quantileOf } from "./rules/durations.ts";

/** In milliseconds on the server; null where there was nothing to measure, or it is beyond ten seconds. */
export type Latency = {
  operation: string;
  requests: number;
  errors: number;
  p50: number | null;
  p95: number | null;
  p99: number | null;
};

/** What endpoints took since `since`, as it was measured: by all web processes together, no more than a minute late. */
export const readLatency = async ({ db }: Pick<Deps, "db">, { since }: { since: Date }): Promise<Latency[]> =>
  (await sumLatency(db.sql, since)).map(({ operation, requests, errors, counts }) => ({
    ...{ operation, requests, errors },
    ...{ p50: quantileOf(counts, 0.5), p95: quantileOf(counts, 0.95), p99: quantileOf(counts, 0.99) },
  }));
