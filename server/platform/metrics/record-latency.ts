import { randomUUID } from "node:crypto";
import { addLatency } from "../../data/platform/latency.ts";
import type { Deps } from "../../deps/deps.ts";
import type { RequestMetrics } from "./request-metrics.ts";
import { noDurations } from "./rules/durations.ts";

const minuteMilliseconds = 60_000;

/**
 * Records after each full minute how many requests this process answered in it, and how long they took. A minute
 * without requests is recorded too, so that it can be distinguished from a minute in which no process reported. If
 * recording fails, the figures are recorded with those of the next minute.
 */
export const startRecording = (
  deps: Pick<Deps, "db" | "clock" | "log">,
  metrics: Pick<RequestMetrics, "take" | "giveBack">,
): { stop(): Promise<void> } => {
  const process = randomUUID();
  let since = deps.clock.now();
  const record = async (): Promise<void> => {
    const [at, taken] = [since, metrics.take()];
    since = deps.clock.now();
    try {
      await addLatency(deps.db.sql, { at, process, ...figuresOf(taken) });
    } catch (error) {
      metrics.giveBack(taken);
      deps.log.debug({ err: error }, "latency not recorded");
    }
  };
  let running = Promise.resolve();
  let timer: NodeJS.Timeout;
  const schedule = (): void => {
    // 20 ms after the start of the next minute, so that a timer that fires early doesn't split a minute.
    timer = setTimeout(
      () => {
        running = running.then(record);
        schedule();
      },
      minuteMilliseconds - (deps.clock.now().getTime() % minuteMilliseconds) + 20,
    );
    timer.unref();
  };
  schedule();
  return {
    async stop() {
      clearTimeout(timer);
      await running;
      await record();
    },
  };
};

type Taken = ReturnType<RequestMetrics["take"]>;

/** Figures by endpoint, and the figures of all endpoints together. */
const figuresOf = (taken: Taken) => {
  const rows = [...taken].map(([operation, { requests, errors, counts }]) => ({ operation, requests, errors, counts }));
  const total = { requests: 0, errors: 0, counts: noDurations() };
  for (const { requests, errors, counts } of rows) {
    total.requests += requests;
    total.errors += errors;
    counts.forEach((count, bucket) => {
      total.counts[bucket] = (total.counts[bucket] ?? 0) + count;
    });
  }
  return { rows, total };
};
