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
 * Each week, by real time. A run that died is begun anew by the next one; one that nobody was there for, or that a backup or
 * a moved clock was in the way of, is made up for within its announced time, and not behind that.
 */
const createResetJob = (schedule: ResetSchedule): ScheduledJob => ({
  name: resetJob,
  cron: cronOf(schedule),
  expireInSeconds: 600,
  // As often as its announced time has room for.
  retryLimit: 15,
  retryDelayMax: 60,
  missed: "once",
  async run(deps) {
    const now = deps.clock.now();
    if (isLongAgo(schedule, now)) return { skipped: "too late" };
    // By a run that failed behind it, which finish-reset brings to its end, or by an operator: not a second time.
    if (await wasResetSince(deps.db.sql, lastReset(schedule, now))) return { skipped: "done" };
    if (isTooLate(schedule, now)) throw new Error("left out: its announced time is over");
    await resetSandbox(deps, { actor: { kind: "system", id: resetJob }, requestId: "-" });
    return {};
  },
});

/** The sandbox's next two resets, so that each is told of a week before and more (docs/spec/sandbox.md, Reset). */
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

/** Production alone has a status page, and tells; the sandbox does it, and knows nothing of being told of. */
export const resetJobOf = ({ environment, sandboxReset }: Config): ScheduledJob | null => {
  if (environment === "production") return announceResetsJob;
  return sandboxReset && createResetJob(sandboxReset);
};

/** A reset whose process died in the middle is brought to its end, whoever had begun it. */
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
      // Under way in another process.
      if (isDomainError(error) && error.code === "clock_in_use") return { done: 0, hasMore: false };
      throw error;
    }
  },
};
