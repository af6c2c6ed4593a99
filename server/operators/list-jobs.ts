import { listJobPulses, listJobRuns } from "../data/jobs/job-runs.ts";
import type { Deps } from "../deps/deps.ts";

/** Ticks as the workers reported them, schedules with their last run, and failed runs that weren't retried. */
export const listJobs = async ({ db }: Pick<Deps, "db">) => {
  const [ticks, runs] = await Promise.all([listJobPulses(db), listJobRuns(db.sql)]);
  return { ticks, ...runs };
};
