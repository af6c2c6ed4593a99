import { open, rm } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { quantileOf } from "../support/quantile.ts";

/** One page of PostgreSQL's log, within a file of constant size. */
const pageBytes = 8_192;
const pages = 64;
const pauseMs = 100;

export type Flushes = { p50: number; p99: number; longest: number };

/**
 * Repeatedly writes a page next to the service's data and flushes it (fdatasync(2)). Every commit waits for such a
 * flush, so the disk affects every figure of a write.
 * @returns a function that stops the writes and returns the durations of the flushes, in ms.
 */
export const watchFlushes = async (directory: string): Promise<{ stop(): Promise<Flushes> }> => {
  const name = path.join(directory, "flushes");
  const file = await open(name, "w");
  await file.write(Buffer.alloc(pages * pageBytes));
  await file.sync();
  const milliseconds: number[] = [];
  const ended = new AbortController();
  const page = Buffer.alloc(pageBytes, 1);
  const watch = async (): Promise<void> => {
    while (!ended.signal.aborted) {
      await file.write(page, 0, pageBytes, (milliseconds.length % pages) * pageBytes);
      const startedAt = performance.now();
      await file.datasync();
      milliseconds.push(performance.now() - startedAt);
      await sleep(pauseMs, undefined, { signal: ended.signal }).catch(() => {});
    }
  };
  const watching = watch();
  const end = async (): Promise<Flushes> => {
    ended.abort();
    await watching;
    await file.close();
    await rm(name, { force: true });
    const sorted = milliseconds.sort((a, b) => a - b);
    return { p50: quantileOf(sorted, 0.5), p99: quantileOf(sorted, 0.99), longest: quantileOf(sorted, 1) };
  };
  let ending: Promise<Flushes> | undefined;
  return {
    stop: () => {
      ending ??= end();
      return ending;
    },
  };
};
