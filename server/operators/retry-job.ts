import { type Actor, appendAudit } from "../data/audit/audit.ts";
import { sqlState } from "../data/client.ts";
import { lockJobRun, retryJobRun } from "../data/jobs/job-runs.ts";
import type { Deps } from "../deps/deps.ts";
import { DomainError } from "../kernel/errors.ts";
import { resetJob } from "../sandbox/reset-job.ts";

type Input = { runId: string; reason: string; actor: Actor; requestId: string };

const uniqueViolation = "23505";

/** The sandbox is reset only within an announced maintenance window, so a failed reset waits for the next window. */
export const mayRetry = (job: string): boolean => job !== resetJob;

/**
 * Queues a failed run again; the first free worker takes it. A second call changes nothing.
 * @throws DomainError job_run_not_found, job_not_retried, job_busy while the next run of the same schedule is queued or
 *   running.
 */
export const retryJob = async (
  { db, clock }: Pick<Deps, "db" | "clock">,
  { runId, reason, actor, requestId }: Input,
): Promise<{ isNew: boolean }> => {
  try {
    return await db.sqlTransaction(async (sql) => {
      const run = await lockJobRun(sql, runId);
      if (!run) {
        throw new DomainError("not_found", {
          code: "job_run_not_found",
          message: "Run not found. Runs are deleted after a week.",
        });
      }
      if (!mayRetry(run.name)) throw notRetriedRefusal();
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
    throw new DomainError("conflict", { code: "job_busy", message, cause: error });
  }
};

const notRetriedRefusal = (): DomainError =>
  new DomainError("conflict", {
    code: "job_not_retried",
    message: "This job empties the sandbox and must be announced, so it can’t be retried. It runs again on schedule.",
  });
