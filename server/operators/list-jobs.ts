import { listJobPulses, listJobRuns } from "../data/jobs/job-runs.ts";
import type { Deps } from "../deps/deps.ts";

/** What runs by itself: ticks as the workers tell of them, schedules with their last run, and runs that failed. */
export const listJobs = async ({ db }: Pick<Deps, "db">) => {
  const [ticks, runs] = await Promise.all([listJobPulses(db), listJobRuns(db.sql)]);
  return { ticks, ...runs };
};
