import { type Actor, appendAudit } from "../data/audit/audit.ts";
import { sqlState } from "../data/client.ts";
import { lockJobRun, retryJobRun } from "../data/jobs/job-runs.ts";
import type { Deps } from "../deps/deps.ts";
import { DomainError } from "../kernel/errors.ts";
import { resetJob } from "../sandbox/reset-job.ts";

type Input = { runId: string; reason: string; actor: Actor; requestId: string };

const uniqueViolation = "23505";

/** Emptying the sandbox is announced a week before: a run that failed is made up for by the next one, at its announced time. */
export const mayRetry = (job: string): boolean => job !== resetJob;

/**
 * A failed run is made again at once, by whichever worker comes first. A second click changes nothing.
 * @throws DomainError job_run_not_found, job_not_retried, job_busy where the next run of the same schedule is queued or at work.
 */
export const retryJob = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { runId, reason, actor, requestId }: Input,
): Promise<{ isNew: boolean }> => {
  try {
    return await db.sqlTransaction(async (sql) => {
      const run = await lockJobRun(sql, runId);
      if (!run)
        throw new DomainError("not_found", "job_run_not_found", "Run not found. Runs are deleted after a week.");
      if (!mayRetry(run.name)) throw notRetried();
      if (run.state !== "failed") return { isNew: false };
      await retryJobRun(sql, runId, run.name);
      await appendAudit(sql, {
        at: clock.now(),
        actor,
        requestId,
        action: "job.retried",
        subjectId: run.name,
        data: { run_id: runId, reason },
      });
      return { isNew: true };
    });
  } catch (error) {
    if (sqlState(error) !== uniqueViolation) throw error;
    const message = "The next run of this job is already queued or running. Check again in a minute.";
    throw new DomainError("conflict", "job_busy", message, { cause: error });
  }
};

const notRetried = (): DomainError =>
  new DomainError(
    "conflict",
    "job_not_retried",
    "This job empties the sandbox and must be announced, so it can’t be retried. It runs again on schedule.",
  );
