import { monitorEventLoopDelay } from "node:perf_hooks";
import { counter, gauge, type Metric } from "./exposition.ts";

/** Metrics of a Node process, under the usual names. */
export const createProcessMetrics = (): (() => Metric[]) => {
  const delay = monitorEventLoopDelay({ resolution: 20 });
  delay.enable();
  return () => {
    const { rss, heapTotal, heapUsed, external } = process.memoryUsage();
    const { user, system } = process.cpuUsage();
    const lag = Number.isNaN(delay.mean) ? 0 : delay.percentile(99) / 1e9;
    delay.reset();
    return [
      counter("process_cpu_seconds_total", "CPU time used.", [{ value: (user + system) / 1e6 }]),
      gauge("process_resident_memory_bytes", "Resident memory.", [{ value: rss }]),
      gauge("process_start_time_seconds", "When the process started.", [
        { value: Math.round(performance.timeOrigin) / 1000 },
      ]),
      gauge("nodejs_heap_size_total_bytes", "Reserved heap.", [{ value: heapTotal }]),
      gauge("nodejs_heap_size_used_bytes", "Used heap.", [{ value: heapUsed }]),
      gauge("nodejs_external_memory_bytes", "Memory outside of the heap.", [{ value: external }]),
      gauge("nodejs_eventloop_lag_p99_seconds", "Delay of the event loop since the last scrape.", [{ value: lag }]),
    ];
  };
};
