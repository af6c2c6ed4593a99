import { type Sql, statement } from "../client.ts";
import { coalesceByPool } from "../coalesce.ts";

export type JobPulse = {
  name: string;
  ranAt: Date;
  okAt: Date | null;
  runs: number;
  failures: number;
  done: number;
  lastError: string | null;
  failedAt: Date | null;
};

const upsertPulses = statement<never>(
  "upsert_job_pulses",
  `INSERT INTO job_pulse (name, ran_at, ok_at, runs, failures, done, last_error, failed_at)
   SELECT * FROM unnest($1::text[], $2::timestamptz[], $3::timestamptz[], $4::bigint[], $5::bigint[], $6::bigint[], $7::text[], $8::timestamptz[])
   ON CONFLICT (name) DO UPDATE SET
     ran_at = greatest(job_pulse.ran_at, excluded.ran_at),
     ok_at = greatest(job_pulse.ok_at, excluded.ok_at),
     runs = job_pulse.runs + excluded.runs,
     failures = job_pulse.failures + excluded.failures,
     done = job_pulse.done + excluded.done,
     last_error = coalesce(excluded.last_error, job_pulse.last_error),
     failed_at = coalesce(excluded.failed_at, job_pulse.failed_at)`,
);

/** Sorts by name, so that two workers can't deadlock on each other's rows. */
const byName = (left: JobPulse, right: JobPulse): number => (left.name < right.name ? -1 : 1);
const timeOf = (at: Date | null): string | null => at?.toISOString() ?? null;

const writeTogether = coalesceByPool(async (sql: Sql, pulses: readonly JobPulse[]) => {
  const sorted = pulses.toSorted(byName);
  await sql.query(upsertPulses, [
    sorted.map(({ name }) => name),
    sorted.map(({ ranAt }) => timeOf(ranAt)),
    sorted.map(({ okAt }) => timeOf(okAt)),
    sorted.map(({ runs }) => runs),
    sorted.map(({ failures }) => failures),
    sorted.map(({ done }) => done),
    sorted.map(({ lastError }) => lastError),
    sorted.map(({ failedAt }) => timeOf(failedAt)),
  ]);
  return pulses.map(() => true as const);
});

/** Adds one worker's counts since its last pulse to the totals of all workers. Concurrent pulses share a statement. */
export const addJobPulse = async (sql: Sql, pulse: JobPulse): Promise<void> => {
  await writeTogether(sql, pulse);
};
