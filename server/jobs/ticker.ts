import { setTimeout as sleep } from "node:timers/promises";
import { addJobPulse, type JobPulse } from "../data/jobs/job-pulses.ts";
import type { Deps } from "../deps/deps.ts";
import { isDomainError } from "../kernel/errors.ts";
import { readDueTogether, untilTogether } from "./due-together.ts";
import type { Tick } from "./job.ts";

const pulseMilliseconds = 10_000;
const firstRetryMilliseconds = 1_000;
const longestRetryMilliseconds = 2_000;

type Tally = Omit<JobPulse, "name" | "ranAt">;
const nothing = { done: 0, hasMore: false };
const emptyTally = (): Tally => ({ runs: 0, failures: 0, done: 0, okAt: null, failedAt: null, lastError: null });

/**
 * Runs a tick repeatedly until stopped. A failure is logged, reported to the operator, and retried with increasing
 * delays.
 */
export const startTick = (deps: Deps, tick: Tick): { stop(): Promise<void> } => {
  const abort = new AbortController();
  const running = loop(deps, tick, abort.signal);
  return {
    stop() {
      abort.abort();
      return running;
    },
  };
};

const loop = async (deps: Deps, tick: Tick, signal: AbortSignal): Promise<void> => {
  let tally = emptyTally();
  let pulsedAt = performance.now();
  let failuresInARow = 0;
  let outcome: Outcome = "done";
  while (!signal.aborted) {
    outcome = await runOnce(deps, { tick, isKnownDue: outcome === "more" }, tally);
    failuresInARow = outcome === "failed" ? failuresInARow + 1 : 0;
    if (failuresInARow === 1 || performance.now() - pulsedAt >= pulseMilliseconds) {
      if (await writePulse(deps, tick, tally)) tally = emptyTally();
      pulsedAt = performance.now();
    }
    await pause(outcome === "more" ? 0 : pauseAfter(tick, failuresInARow), signal);
  }
  await tick.end?.();
  await writePulse(deps, tick, tally);
};

type Outcome = "done" | "more" | "failed";
type Run = { tick: Tick; isKnownDue: boolean };

/** If the common check gives no answer, the run itself checks for work, so work never waits for this check. */
const isDue = async (deps: Deps, tick: Tick): Promise<boolean> => {
  if (!tick.isDue) return true;
  const work = await readDueTogether(deps);
  return work === null || tick.isDue(work, deps);
};

const runOnce = async (deps: Deps, { tick, isKnownDue }: Run, tally: Tally): Promise<Outcome> => {
  tally.runs += 1;
  try {
    const { done, hasMore } = isKnownDue || (await isDue(deps, tick)) ? await tick.run(deps) : nothing;
    tally.done += done;
    tally.okAt = deps.clock.now();
    return hasMore ? "more" : "done";
  } catch (error) {
    tally.failures += 1;
    tally.failedAt = deps.clock.now();
    tally.lastError = (error instanceof Error ? error.message : String(error)).slice(0, 500);
    // A dependency is temporarily unavailable, for example during start-up. No warning, as it is retried soon.
    if (isDomainError(error) && error.kind === "unavailable") {
      deps.log.info({ job: tick.name, reason: error.message }, "job waits");
    } else deps.log.warn({ job: tick.name, err: error }, "job failed");
    return "failed";
  }
};

/** @returns false if the database is unreachable; the tally is then kept for the next pulse. */
const writePulse = async (deps: Deps, tick: Tick, tally: Tally): Promise<boolean> => {
  if (tally.runs === 0) return true;
  try {
    await addJobPulse(deps.db.sql, { name: tick.name, ranAt: deps.clock.now(), ...tally });
    return true;
  } catch (error) {
    deps.log.debug({ job: tick.name, err: error }, "job pulse not written");
    return false;
  }
};

const pauseAfter = (tick: Tick, failuresInARow: number): number => {
  if (failuresInARow > 0) {
    const longest = Math.max(tick.intervalMilliseconds, longestRetryMilliseconds);
    return Math.min(firstRetryMilliseconds * 2 ** (failuresInARow - 1), longest);
  }
  return tick.isDue ? untilTogether(tick) : tick.intervalMilliseconds;
};

const pause = (milliseconds: number, signal: AbortSignal): Promise<void> =>
  sleep(milliseconds, undefined, { signal }).catch(() => {});
