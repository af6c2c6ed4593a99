import { findClockOffset, isClockHeld } from "../data/sandbox/sandbox-clock.ts";
import type { Deps } from "../deps/deps.ts";
import type { BusinessClock, BusinessTime } from "../kernel/time/clock.ts";

/**
 * How long a process uses one reading of the clock. A move of the clock waits this long before it returns: afterwards
 * every process uses the new time, without an extra statement per request.
 */
export const clockLeaseMilliseconds = 250;

type Reading = { offsetMs: number; begunAt: number };

/**
 * Business time of the sandbox: real time plus the offset that operators set.
 * @param db a pool that no transaction uses. Otherwise, transactions that read the time could occupy all connections
 * and wait for each other.
 */
export const createSandboxClock = ({ db, clock }: Pick<Deps, "db" | "clock">): BusinessClock => {
  let last: Reading | null = null;
  let underway: Promise<Reading> | null = null;

  const read = async (): Promise<Reading> => {
    const begunAt = performance.now();
    const offsetMs = await findClockOffset(db.sql);
    last = { offsetMs, begunAt };
    return last;
  };
  const readTogether = (): Promise<Reading> => {
    underway ??= read().finally(() => {
      underway = null;
    });
    return underway;
  };
  // A reading that started too long ago may be older than a move that has returned in the meantime.
  const isFresh = ({ begunAt }: Reading): boolean => performance.now() - begunAt < clockLeaseMilliseconds;
  const currentReading = async (): Promise<Reading> => {
    if (last && isFresh(last)) return last;
    const requestedAt = performance.now();
    const reading = await readTogether();
    return reading.begunAt >= requestedAt || isFresh(reading) ? reading : readTogether();
  };

  const now = async (): Promise<BusinessTime> => {
    const { offsetMs } = await currentReading();
    return new Date(clock.now().getTime() + offsetMs) as BusinessTime;
  };
  return {
    now,
    async dueUntil() {
      // The time is read before the lock is checked. A move locks the clock before it changes the time, so workers
      // can't select due work by the new time until the move has ended.
      const present = await now();
      return (await isClockHeld(db.sql)) ? null : present;
    },
  };
};
