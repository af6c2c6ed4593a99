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

/** Due work that isn't done yet, and the time since which the oldest item waits. */
export const findQueueLag = (sql: Sql, now: Date): Promise<QueueLag[]> => sql.query(lag, [now]);

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
