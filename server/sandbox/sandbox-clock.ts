import { findClockOffset, isClockHeld } from "../data/sandbox/sandbox-clock.ts";
import type { Deps } from "../deps/deps.ts";
import type { BusinessClock, BusinessTime } from "../kernel/time/clock.ts";

/**
 * How long a process goes by what it read of the clock. Whoever moves the clock waits as long before answering: from then
 * on every process goes by the new time, without one statement more per request.
 */
export const clockLeaseMilliseconds = 250;

type Reading = { offsetMs: number; begunAt: number };

/**
 * Business time of the sandbox: real time, and what operators put it ahead by.
 * @param db whose connections no transaction takes: one that asks for the time would wait for what others like it hold.
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
  // Begun too long ago, a reading may be of before a move that has been answered since.
  const isFresh = ({ begunAt }: Reading): boolean => performance.now() - begunAt < clockLeaseMilliseconds;
  const currentReading = async (): Promise<Reading> => {
    if (last && isFresh(last)) return last;
    const askedAt = performance.now();
    const reading = await readTogether();
    return reading.begunAt >= askedAt || isFresh(reading) ? reading : readTogether();
  };

  const now = async (): Promise<BusinessTime> => {
    const { offsetMs } = await currentReading();
    return new Date(clock.now().getTime() + offsetMs) as BusinessTime;
  };
  return {
    now,
    async dueUntil() {
      // In this order: whoever moves the clock holds it before, so that a time of after the move is never taken for due.
      const present = await now();
      return (await isClockHeld(db.sql)) ? null : present;
    },
  };
};
