import { failureLevel } from "../../data/unavailable.ts";
import type { Deps } from "../../deps/deps.ts";
import { type TraceJob, untraced } from "../../platform/tracing/trace-job.ts";
import type { Journal } from "../board/journal.ts";
import { utcDayOf } from "../rules/uptime/utc-calendar.ts";
import { freezeDays } from "./freeze-days.ts";

type FreezingDeps = Pick<Deps, "db" | "clock" | "log"> & {
  journal: Pick<Journal, "pending">;
  /** Replays the journal. @returns false if this failed, for example because the database can't be reached. */
  refresh(): Promise<boolean>;
};

/** Freezes due days, unless the journal has pending records of a finished day. @returns how many days. */
export const freezeReplayedDays = async (deps: FreezingDeps): Promise<number> => {
  if (!(await deps.refresh())) return 0;
  const today = utcDayOf(deps.clock.now().getTime()).from;
  return deps.journal.pending().some(({ at }) => at.getTime() < today) ? 0 : freezeDays(deps);
};

/** Freezes due days now and every `everyMilliseconds`; a failure is retried the next time. */
export const startFreezing = (
  deps: FreezingDeps,
  everyMilliseconds: number,
  trace: TraceJob = untraced,
): { stop(): Promise<void> } => {
  let running: Promise<void> | null = null;
  const freeze = (): void => {
    const freezing = () => freezeReplayedDays(deps);
    running ??= trace("freeze-days", freezing, (count) => count > 0)
      .then((count) => {
        if (count > 0) deps.log.info({ count }, "status days frozen");
      })
      .catch((error: unknown) => {
        deps.log[failureLevel(error)]({ err: error }, "status days can't be frozen");
      })
      .finally(() => {
        running = null;
      });
  };
  freeze();
  const timer = setInterval(freeze, everyMilliseconds);
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
};
