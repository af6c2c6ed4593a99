import type { listKeys } from "../../oauth/keys/list-signing-keys.ts";
import type { listJobs } from "../../operators/list-jobs.ts";
import { mayRetry } from "../../operators/retry-job.ts";

type Jobs = Awaited<ReturnType<typeof listJobs>>;
type Key = Awaited<ReturnType<typeof listKeys>>["keys"][number];

const textOf = (at: Date | null): string | null => at?.toISOString() ?? null;

/** The output of a run, as one line for the page. */
const outcomeLine = (output: unknown): string | null => {
  if (output === null || output === undefined) return null;
  const message: unknown = typeof output === "object" ? Reflect.get(output, "message") : null;
  return (typeof message === "string" ? message : JSON.stringify(output)).slice(0, 300);
};

export const toJobs = ({ ticks, schedules, failed }: Jobs) => ({
  ticks: ticks.map(({ name, ranAt, okAt, failedAt, runs, failures, done, lastError }) => ({
    name,
    ranAt: ranAt.toISOString(),
    runs: Number(runs),
    failures: Number(failures),
    done: Number(done),
    /** whether the last run failed */
    isFailing: failedAt !== null && (okAt === null || failedAt > okAt),
    lastError,
  })),
  schedules: schedules.map(({ name, cron, lastState, lastAt, lastOutput }) => ({
    name,
    cron,
    lastState,
    lastAt: textOf(lastAt),
    outcome: outcomeLine(lastOutput),
  })),
  failed: failed.map(({ id, name, failedAt, attempts, output }) => ({
    id,
    name,
    failedAt: textOf(failedAt),
    attempts,
    outcome: outcomeLine(output),
    mayRetry: mayRetry(name),
  })),
});

export const toSigningKey = ({ purpose, kid, state, createdAt, since, until }: Key) => ({
  purpose,
  kid,
  state,
  createdAt: createdAt.toISOString(),
  since: since.toISOString(),
  until: textOf(until),
});

export type OperatorJobs = ReturnType<typeof toJobs>;
export type OperatorSigningKey = ReturnType<typeof toSigningKey>;
