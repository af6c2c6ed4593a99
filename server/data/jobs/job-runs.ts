import { type Db, type Sql, statement } from "../client.ts";

/** The last run of each schedule; null if it hasn't run yet. */
export type ScheduleRow = {
  name: string;
  cron: string;
  lastState: string | null;
  lastAt: Date | null;
  lastOutput: unknown;
};

export type FailedRunRow = { id: string; name: string; failedAt: Date | null; attempts: number; output: unknown };

// pg-boss creates its tables when the first worker starts.
const there = statement<{ isThere: boolean }>(
  "find_pgboss",
  `SELECT to_regclass('pgboss.job') IS NOT NULL AS "isThere"`,
);

const schedules = statement<ScheduleRow>(
  "list_schedules",
  `SELECT s.name, s.cron, r.state::text AS "lastState", coalesce(r.completed_on, r.started_on, r.created_on) AS "lastAt",
     r.output AS "lastOutput"
     FROM pgboss.schedule s
     LEFT JOIN LATERAL (SELECT * FROM pgboss.job j WHERE j.name = s.name ORDER BY j.created_on DESC LIMIT 1) r ON true
    WHERE $1::text IS NULL OR strpos(lower(s.name), lower($1)) > 0 ORDER BY s.name`,
);

const failed = statement<FailedRunRow>(
  "list_failed_runs",
  `SELECT j.id::text AS id, j.name, j.completed_on AS "failedAt", j.retry_count + 1 AS attempts, j.output
     FROM pgboss.job j WHERE j.state = 'failed' AND j.name IN (SELECT name FROM pgboss.schedule)
      AND ($1::text IS NULL OR strpos(lower(j.name), lower($1)) > 0)
    ORDER BY j.completed_on DESC LIMIT 50`,
);

/**
 * Schedules with their last run, and the last 50 runs that failed and weren't retried; pg-boss keeps both for seven
 * days.
 * @param search a part of the job's name; null: all jobs
 */
export const listJobRuns = async (
  sql: Sql,
  search: string | null,
): Promise<{ schedules: ScheduleRow[]; failed: FailedRunRow[] }> => {
  const [found] = await sql.query(there, []);
  if (!found?.isThere) return { schedules: [], failed: [] };
  return { schedules: await sql.query(schedules, [search]), failed: await sql.query(failed, [search]) };
};

export const listJobPulses = ({ prisma }: Pick<Db, "prisma">) => prisma.jobPulse.findMany({ orderBy: { name: "asc" } });

const find = statement<{ name: string; state: string }>(
  "lock_job_run",
  "SELECT name, state::text AS state FROM pgboss.job WHERE id = $1::uuid FOR UPDATE",
);

/** Locks a run until the transaction ends. @param id a UUID. */
export const lockJobRun = async (sql: Sql, id: string): Promise<{ name: string; state: string } | null> => {
  const [found] = await sql.query(there, []);
  return found?.isThere ? ((await sql.query(find, [id]))[0] ?? null) : null;
};

// Does the same as pg-boss's own retry, but the run is due immediately.
const retry = statement<never>(
  "retry_job_run",
  `UPDATE pgboss.job SET state = 'retry', retry_limit = retry_limit + 1, completed_on = NULL, start_after = now()
    WHERE id = $1::uuid AND name = $2 AND state = 'failed'`,
);

/** @throws with SQLSTATE 23505 if a run of the same schedule is queued or active. */
export const retryJobRun = async (sql: Sql, id: string, name: string): Promise<void> => {
  await sql.query(retry, [id, name]);
};
