import { readFile } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { findPostmaster } from "../../support/processes.ts";

/** The resident memory of one process, and its heap right after a garbage collection. */
export type Memory = { name: string; resident: number; heap: number | null; startedAt: number };

/**
 * Names of the processes by port, in the order in which server/cli/supervisor/start-all.ts assigns the ports after
 * METRICS_PORT.
 */
export const namesByPort = (webProcesses: number): string[] => [
  ...["production", "sandbox"].flatMap((environment) => [
    ...Array.from({ length: webProcesses }, (_, index) => `${environment} web ${index + 1}`),
    `${environment} worker`,
  ]),
  "status",
];

const scrape = async (port: number): Promise<(name: string) => number> => {
  const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  return (name) => Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1] ?? Number.NaN);
};

/** @returns bytes that belong only to this process, without the memory that PostgreSQL's processes share. */
const privateBytes = async (pid: number): Promise<number> => {
  const status = await readFile(`/proc/${pid}/status`, "utf8").catch(() => "");
  return Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) * 1024;
};

/**
 * Memory of all processes together; null when there is no /proc. Simulators are excluded, since they keep every
 * payment.
 */
const readPostgres = async (dataDirectory: string): Promise<Memory | null> => {
  const postmaster = await findPostmaster(dataDirectory);
  const backends = await readFile(`/proc/${postmaster}/task/${postmaster}/children`, "utf8").catch(() => null);
  if (backends === null) return null;
  const all = await Promise.all([postmaster, ...backends.trim().split(" ").map(Number)].map(privateBytes));
  return { name: "PostgreSQL", resident: all.reduce((total, bytes) => total + bytes, 0), heap: null, startedAt: 0 };
};

const sampleMilliseconds = 1_000;

/** The lowest values, because a heap grows until it is collected, and PostgreSQL's backends start and end. */
const leastOf = (before: Memory | undefined, now: Memory): Memory =>
  now.heap === null
    ? { ...now, resident: Math.min(now.resident, before?.resident ?? now.resident) }
    : { ...now, heap: Math.min(now.heap, before?.heap ?? now.heap) };

/** Reads each process's memory every second. @returns a function that stops the readings and returns the result. */
export const watchMemory = (
  product: { dataDirectory: string },
  { firstPort, names }: { firstPort: number; names: readonly string[] },
): (() => Promise<Memory[]>) => {
  const ending = new AbortController();
  const lookAt = async (port: number, name: string): Promise<Memory> => {
    const figure = await scrape(port);
    return {
      name,
      resident: figure("process_resident_memory_bytes"),
      heap: figure("nodejs_heap_size_used_bytes"),
      startedAt: figure("process_start_time_seconds"),
    };
  };
  const look = async (): Promise<Memory[]> => {
    const postgres = await readPostgres(product.dataDirectory);
    const services = await Promise.all(names.map((name, index) => lookAt(firstPort + index, name)));
    return [...services, ...(postgres ? [postgres] : [])];
  };
  const watching = (async () => {
    let least = await look();
    while (!ending.signal.aborted) {
      await sleep(sampleMilliseconds, undefined, { signal: ending.signal }).catch(() => {});
      const before = least;
      least = (await look()).map((one, index) => leastOf(before[index], one));
    }
    return least;
  })();
  // The caller awaits this promise later and handles its error.
  watching.catch(() => {});
  return () => {
    ending.abort();
    return watching;
  };
};
