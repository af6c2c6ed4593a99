import { type Sql, statement } from "./client.ts";

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

const upsertPulse = statement<never>(
  "upsert_job_pulse",
  `INSERT INTO job_pulse (name, ran_at, ok_at, runs, failures, done, last_error, failed_at)
   VALUES ($1, $2::timestamptz, $3::timestamptz, $4::bigint, $5::bigint, $6::bigint, $7, $8::timestamptz)
   ON CONFLICT (name) DO UPDATE SET
     ran_at = greatest(job_pulse.ran_at, excluded.ran_at),
     ok_at = greatest(job_pulse.ok_at, excluded.ok_at),
     runs = job_pulse.runs + excluded.runs,
     failures = job_pulse.failures + excluded.failures,
     done = job_pulse.done + excluded.done,
     last_error = coalesce(excluded.last_error, job_pulse.last_error),
     failed_at = coalesce(excluded.failed_at, job_pulse.failed_at)`,
);

/** Adds what one worker did since its last pulse to what all did. */
export const addJobPulse = async (sql: Sql, pulse: JobPulse): Promise<void> => {
  const { name, ranAt, okAt, runs, failures, done, lastError, failedAt } = pulse;
  await sql.query(upsertPulse, [name, ranAt, okAt, runs, failures, done, lastError, failedAt]);
};
