import { isResetUnfinished, wasResetSince } from "../../data/sandbox/sandbox-reset.ts";
import type { Config, ResetSchedule } from "../../deps/config.ts";
import { isDomainError } from "../../kernel/errors.ts";
import {
  cronOf,
  isLongAgo,
  isTooLate,
  lastReset,
  nextReset,
  resetWindowSeconds,
} from "../../platform/reset-schedule.ts";
import { resetJob } from "../../sandbox/reset-job.ts";
import { resetSandbox } from "../../sandbox/reset-sandbox.ts";
import { announceResets } from "../../status/maintenance/announce-resets.ts";
import type { ScheduledJob, Tick } from "../job.ts";

/**
 * Resets the sandbox every week, in real time. A run that crashed is repeated. A run that was missed, or was blocked by
 * a backup or a move of the clock, runs later in its announced window, never after it.
 */
const createResetJob = (schedule: ResetSchedule): ScheduledJob => ({
  name: resetJob,
  cron: cronOf(schedule),
  expireInSeconds: 600,
  // The run is retried as often as the announced window allows.
  retryLimit: 15,
  retryDelayMax: 60,
  missed: "once",
  async run(deps) {
    const now = deps.clock.now();
    if (isLongAgo(schedule, now)) return { skipped: "too late" };
    // An operator or an earlier run has begun this reset already. If that run crashed, finish-reset completes the
    // reset.
    if (await wasResetSince(deps.db.sql, lastReset(schedule, now))) return { skipped: "done" };
    if (isTooLate(schedule, now)) throw new Error("skipped: its announced window is over");
    await resetSandbox(deps, { actor: { kind: "system", id: resetJob }, requestId: "-" });
    return {};
  },
});

/** Announces the sandbox's next two resets, so that each is announced a week ahead (docs/spec/sandbox.md, Reset). */
export const announceResetsJob: ScheduledJob = {
  name: "announce-resets",
  cron: "37 * * * *",
  expireInSeconds: 60,
  async run(deps) {
    const { sandboxReset } = deps.config;
    const first = sandboxReset && nextReset(sandboxReset, deps.clock.now());
    const at = first ? [first, nextReset(sandboxReset, first)] : [];
    return announceResets(deps, { at, seconds: resetWindowSeconds });
  },
};

/** Production announces resets on the status page; the sandbox does them. */
export const resetJobOf = ({ environment, sandboxReset }: Config): ScheduledJob | null => {
  if (environment === "production") return announceResetsJob;
  return sandboxReset && createResetJob(sandboxReset);
};

/** Completes a reset whose process crashed. */
export const finishResetTick: Tick = {
  name: "finish-reset",
  intervalMilliseconds: 10_000,
  async run(deps) {
    if (!(await isResetUnfinished(deps.db.sql))) return { done: 0, hasMore: false };
    const actor = { kind: "system", id: "finish-reset" } as const;
    try {
      const isDone = await resetSandbox(deps, { actor, requestId: "-", onlyUnfinished: true });
      return { done: isDone ? 1 : 0, hasMore: false };
    } catch (error) {
      // A reset is in progress in another process.
      if (isDomainError(error) && error.code === "clock_in_use") return { done: 0, hasMore: false };
      throw error;
    }
  },
};
