import { listJobPulses, listJobRuns } from "../data/jobs/job-runs.ts";
import type { Deps } from "../deps/deps.ts";

/** Background jobs as reported by the workers, schedules with their last run, and failed runs. */
export const listJobs = async ({ db }: Pick<Deps, "db">) => {
  const [ticks, runs] = await Promise.all([listJobPulses(db), listJobRuns(db.sql)]);
  return { ticks, ...runs };
};
