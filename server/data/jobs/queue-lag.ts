import { type Sql, statement } from "../client.ts";

export type QueueLag = { queue: string; waiting: number; lagSeconds: number };
export type JobFigures = { name: string; runs: number; failures: number; okAt: Date | null };

const lag = statement<QueueLag>(
  "queue_lag",
  `SELECT queue, waiting, greatest(0, coalesce(extract(epoch FROM $1::timestamptz - since), 0))::float8 AS "lagSeconds" FROM (
     SELECT 'events' AS queue, count(*)::int AS waiting, min(created_at) AS since FROM event WHERE dispatched_at IS NULL
     UNION ALL SELECT 'mail', count(*)::int, min(next_attempt_at) FROM mail WHERE state = 'pending' AND next_attempt_at <= $1::timestamptz
     UNION ALL SELECT 'webhooks', count(*)::int, min(next_attempt_at) FROM webhook_delivery
       WHERE state = 'pending' AND next_attempt_at <= $1::timestamptz
     UNION ALL SELECT 'charges', count(*)::int, min(next_lookup_at) FROM charge
       WHERE final_at IS NULL AND next_lookup_at <= $1::timestamptz
   ) AS queues`,
);

/** By queue: the number of due items that aren't done yet, and how long the oldest of them has been waiting. */
export const findQueueLag = (sql: Sql, now: Date): Promise<QueueLag[]> => sql.query(lag, [now]);

// pg-boss creates its tables when the first worker starts.
const hasRuns = statement<{ hasRuns: boolean }>(
  "has_job_runs",
  `SELECT to_regclass('pgboss.job') IS NOT NULL AS "hasRuns"`,
);

const runLag = statement<QueueLag>(
  "job_run_lag",
  `SELECT 'jobs' AS queue, count(*)::int AS waiting,
          greatest(0, coalesce(extract(epoch FROM now() - min(start_after)), 0))::float8 AS "lagSeconds"
     FROM pgboss.job WHERE state < 'active' AND start_after <= now()`,
);

/** Runs of scheduled jobs that are due and not started; pg-boss uses the database's clock. */
export const findRunLag = async (sql: Sql): Promise<QueueLag> => {
  const [found] = await sql.query(hasRuns, []);
  const [lag] = found?.hasRuns ? await sql.query(runLag, []) : [];
  return lag ?? { queue: "jobs", waiting: 0, lagSeconds: 0 };
};

const lastPulse = statement<{ at: Date | null }>("last_job_pulse", "SELECT max(ran_at) AS at FROM job_pulse");

/** When a worker last reported; null if none ever did. */
export const findLastPulse = async (sql: Sql): Promise<Date | null> => (await sql.query(lastPulse, []))[0]?.at ?? null;

const jobs = statement<{ name: string; runs: bigint; failures: bigint; okAt: Date | null }>(
  "job_figures",
  `SELECT name, runs, failures, ok_at AS "okAt" FROM job_pulse ORDER BY name`,
);

/** Totals of all workers since the first one. */
export const findJobFigures = async (sql: Sql): Promise<JobFigures[]> =>
  (await sql.query(jobs, [])).map(({ name, runs, failures, okAt }) => ({
    name,
    runs: Number(runs),
    failures: Number(failures),
    okAt,
  }));
