import { addLatency } from "../../data/platform/latency.ts";
import type { Deps } from "../../deps/deps.ts";
import type { RequestMetrics } from "./request-metrics.ts";

const everyMilliseconds = 60_000;

/**
 * Records once a minute how long this process's responses took. If that fails, the figures are kept for the next
 * minute.
 */
export const startRecording = (
  deps: Pick<Deps, "db" | "clock" | "log">,
  metrics: Pick<RequestMetrics, "take" | "giveBack">,
): { stop(): Promise<void> } => {
  const record = async (): Promise<void> => {
    const taken = metrics.take();
    if (taken.size === 0) return;
    const rows = [...taken].map(([operation, { requests, errors, counts }]) => ({
      operation,
      requests,
      errors,
      counts,
    }));
    try {
      await addLatency(deps.db.sql, deps.clock.now(), rows);
    } catch (error) {
      metrics.giveBack(taken);
      deps.log.debug({ err: error }, "latency not recorded");
    }
  };
  let running = Promise.resolve();
  const timer = setInterval(() => {
    running = running.then(record);
  }, everyMilliseconds);
  timer.unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
      await record();
    },
  };
};
