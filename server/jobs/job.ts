import type { DueWork } from "../data/jobs/due-work.ts";
import type { Deps } from "../deps/deps.ts";

/**
 * Runs every few seconds in every worker at once, so its work must be taken row by row (SKIP LOCKED, a lease, a
 * conditional UPDATE): two workers share it and none waits for another that died.
 */
export type Tick = {
  name: string;
  intervalMilliseconds: number;
  /**
   * Whether there is anything to do at all: a worker whose ticks all have nothing to do learns it by one statement. Asked
   * before each run but one that an earlier one asked for by `hasMore`; where it is left out each run finds out by itself.
   */
  isDue?(work: DueWork, deps: Deps): boolean | Promise<boolean>;
  /** With `isDue`: it asks so long after the others, whose runs give it its work. */
  offsetMilliseconds?: number;
  /** @returns how much was done; `hasMore` asks for another run at once. */
  run(deps: Deps): Promise<{ done: number; hasMore: boolean }>;
  /** waits for what a run left under way, when the worker stops */
  end?(): Promise<void>;
};

/** Runs on a schedule in one worker at a time, by pg-boss: each run is a row that the operator sees and can retry. */
export type ScheduledJob = {
  name: string;
  /** five fields, UTC */
  cron: string;
  expireInSeconds: number;
  /** 2 unless it is said; ten seconds apart, then ever longer */
  retryLimit?: number;
  /** seconds between two tries at the most; ten minutes unless it is said */
  retryDelayMax?: number;
  /** what becomes of a time at which no worker was there; skip unless it is said */
  missed?: "skip" | "once";
  /** @returns what the operator sees as the run's outcome. */
  run(deps: Deps): Promise<object>;
};
