import { listJobPulses, listJobRuns } from "../data/jobs/job-runs.ts";
import type { Deps } from "../deps/deps.ts";

/**
 * Ticks as the workers reported them, schedules with their last run, and failed runs that weren't retried.
 * @param query.search a part of the job's name
 */
export const listJobs = async ({ db }: Pick<Deps, "db">, query: { search?: string | undefined } = {}) => {
  const [ticks, runs] = await Promise.all([listJobPulses(db), listJobRuns(db.sql, query.search ?? null)]);
  const text = query.search?.toLowerCase() ?? "";
  return { ticks: ticks.filter(({ name }) => name.toLowerCase().includes(text)), ...runs };
};
