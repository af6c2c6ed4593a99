import type { Log } from "../../deps/deps.ts";
import { bucketOf, type DurationCounts, noDurations } from "./rules/durations.ts";

/** Figures of one endpoint since the process started, or since the last recording. */
export type EndpointFigures = {
  requests: number;
  errors: number;
  milliseconds: number;
  counts: DurationCounts;
  byStatus: Map<number, number>;
};

export type RequestMetrics = {
  observe(line: { operation: string; status: number; milliseconds: number }): void;
  /** by operation, since the start */
  total(): ReadonlyMap<string, EndpointFigures>;
  /** by operation, since the last recording */
  take(): ReadonlyMap<string, EndpointFigures>;
  /** adds back figures that could not be recorded, without `byStatus` */
  giveBack(figures: ReadonlyMap<string, EndpointFigures>): void;
};

const nothing = (): EndpointFigures => ({
  requests: 0,
  errors: 0,
  milliseconds: 0,
  counts: noDurations(),
  byStatus: new Map(),
});

const add = (into: Map<string, EndpointFigures>, operation: string): EndpointFigures => {
  const known = into.get(operation);
  if (known) return known;
  const fresh = nothing();
  into.set(operation, fresh);
  return fresh;
};

/** Counts answered requests. */
export const createRequestMetrics = (): RequestMetrics => {
  const total = new Map<string, EndpointFigures>();
  let recent = new Map<string, EndpointFigures>();
  const count = (
    figures: EndpointFigures,
    { status, milliseconds, bucket }: { status: number; milliseconds: number; bucket: number },
  ) => {
    figures.requests += 1;
    // A refusal is the caller's error; a status of 500 or above is our error.
    if (status >= 500) figures.errors += 1;
    figures.milliseconds += milliseconds;
    figures.counts[bucket] = (figures.counts[bucket] ?? 0) + 1;
    figures.byStatus.set(status, (figures.byStatus.get(status) ?? 0) + 1);
  };
  return {
    observe({ operation, status, milliseconds }) {
      const bucket = bucketOf(milliseconds);
      count(add(total, operation), { status, milliseconds, bucket });
      count(add(recent, operation), { status, milliseconds, bucket });
    },
    total: () => total,
    take() {
      const taken = recent;
      recent = new Map();
      return taken;
    },
    giveBack(figures) {
      for (const [operation, { requests, errors, milliseconds, counts }] of figures) {
        const own = add(recent, operation);
        own.requests += requests;
        own.errors += errors;
        own.milliseconds += milliseconds;
        counts.forEach((each, bucket) => {
          own.counts[bucket] = (own.counts[bucket] ?? 0) + each;
        });
      }
    },
  };
};

/** A log that also counts request lines in `metrics`: each answered request has exactly one line. */
export const countingLog = (log: Log, metrics: Pick<RequestMetrics, "observe">): Log => ({
  ...log,
  request(line) {
    metrics.observe(line);
    log.request(line);
  },
});
