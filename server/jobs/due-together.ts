import { setTimeout as sleep } from "node:timers/promises";
import type { Sql } from "../data/client.ts";
import { type DueWork, findDueWork } from "../data/jobs/due-work.ts";
import type { Deps } from "../deps/deps.ts";
import type { Tick } from "./job.ts";

/** A timer may fire this much early or late. */
const jitterMilliseconds = 5;
const sharedMilliseconds = 4 * jitterMilliseconds;
const timeoutMilliseconds = 2_000;

type DueRead = { startedAt: number; isAnswered: boolean; work: Promise<DueWork | null> };
const lastReads = new WeakMap<Sql, DueRead>();

/**
 * Reads due work with one statement for all concurrent callers.
 * @returns null if due work can't be read in time, for example because another process has locked a table.
 */
export const readDueTogether = (deps: Deps): Promise<DueWork | null> => {
  const last = lastReads.get(deps.db.sql);
  if (last && performance.now() - last.startedAt < sharedMilliseconds) return last.work;
  // While a read is slow, no second read is started, because each read holds a connection.
  if (last && !last.isAnswered) return Promise.resolve(null);
  const read = startRead(deps);
  lastReads.set(deps.db.sql, read);
  return read.work;
};

const startRead = (deps: Deps): DueRead => {
  const answer = findDueWork(deps.db.sql, deps.clock.now()).catch((err: unknown) => {
    deps.log.debug({ err }, "due work could not be read");
    return null;
  });
  const read: DueRead = {
    startedAt: performance.now(),
    isAnswered: false,
    work: Promise.race([answer, sleep(timeoutMilliseconds, null, { ref: false })]),
  };
  void answer.then(() => {
    read.isAnswered = true;
  });
  return read;
};

/**
 * Milliseconds until the ticks of this interval check again. They check at common times, regardless of when their last
 * runs ended.
 */
export const untilTogether = ({ intervalMilliseconds, offsetMilliseconds = 0 }: Tick): number => {
  const since = (performance.now() - offsetMilliseconds + jitterMilliseconds) % intervalMilliseconds;
  return Math.ceil(intervalMilliseconds + jitterMilliseconds - since);
};
