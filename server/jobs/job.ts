import type { DueWork } from "../data/jobs/due-work.ts";
import type { Deps } from "../deps/deps.ts";

/**
 * Runs every few seconds in every worker concurrently. So its work must be claimed row by row (SKIP LOCKED, a lease, a
 * conditional UPDATE): workers share it, and none waits for a worker that crashed.
 */
export type Tick = {
  name: string;
  intervalMilliseconds: number;
  /**
   * Whether there is anything to do. An idle worker checks all its ticks with one statement. `isDue` is checked before
   * each run, except before a run that the previous run requested with `hasMore`. Without `isDue`, each run itself
   * checks for work.
   */
  isDue?(work: DueWork, deps: Deps): boolean | Promise<boolean>;
  /** Used with `isDue`: delays the check of this tick, so that other ticks can create its work first. */
  offsetMilliseconds?: number;
  /** @returns the amount of work done; `hasMore` requests another run immediately. */
  run(deps: Deps): Promise<{ done: number; hasMore: boolean }>;
  /** called when the worker stops: waits for work that a run left in progress */
  end?(): Promise<void>;
};

/**
 * Runs on a schedule in one worker at a time, through pg-boss. Each run is a row that the operator can view and retry.
 */
export type ScheduledJob = {
  name: string;
  /** five fields, UTC */
  cron: string;
  expireInSeconds: number;
  /** maximum number of retries, by default 2; the first starts after 10 to 20 seconds, and each delay doubles */
  retryLimit?: number;
  /** maximum seconds between two attempts; default: ten minutes */
  retryDelayMax?: number;
  /** `once`: one run makes up for all runs that were missed because no worker ran; default: `skip` */
  missed?: "skip" | "once";
  /** @returns the run's outcome, as shown to the operator. */
  run(deps: Deps): Promise<object>;
};
