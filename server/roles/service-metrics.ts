import { findJobFigures, findQueueLag } from "../data/jobs/queue-lag.ts";
import type { Deps } from "../deps/deps.ts";
import { countRememberedClients } from "../oauth/clients/authenticate-client.ts";
import { countRememberedTokens } from "../oauth/tokens/verify-access-token-jwt.ts";
import type { ApiLogFigures } from "../platform/api-log/api-log.ts";
import { counter, gauge, type Metric } from "../platform/metrics/exposition.ts";

/** Metrics of this process only. */
export const poolMetrics = ({ db }: Pick<Deps, "db">): Metric[] => {
  const { total, idle, waiting } = db.connections();
  return [
    gauge("paygrant_pool_connections", "Connections to the database.", [
      { labels: { state: "busy" }, value: total - idle },
      { labels: { state: "idle" }, value: idle },
    ]),
    gauge("paygrant_pool_waiting", "Requests waiting for a connection.", [{ value: waiting }]),
  ];
};

/** Metrics of this process only. */
export const cacheMetrics = (deps: Pick<Deps, "db" | "keys">): Metric[] => [
  gauge("paygrant_cache_entries", "Entries in the caches of this process.", [
    { labels: { cache: "clients" }, value: countRememberedClients(deps.db) },
    { labels: { cache: "verified_tokens" }, value: countRememberedTokens(deps.keys) },
    { labels: { cache: "signing_keys" }, value: deps.keys.jwks().keys.length },
  ]),
];

/** Metrics of this process only. */
export const apiLogMetrics = ({ written, dropped, waiting }: ApiLogFigures): Metric[] => [
  counter("paygrant_api_logs_total", "API requests that were logged, or dropped from the log.", [
    { labels: { outcome: "written" }, value: written },
    { labels: { outcome: "dropped" }, value: dropped },
  ]),
  gauge("paygrant_api_logs_waiting", "API requests not logged yet.", [{ value: waiting }]),
];

/** Metrics of the whole environment, reported by its worker. */
export const queueMetrics = async ({ db, clock }: Pick<Deps, "db" | "clock">): Promise<Metric[]> => {
  const queues = await findQueueLag(db.sql, clock.now());
  const jobs = await findJobFigures(db.sql);
  const byJob = (value: (job: (typeof jobs)[number]) => number) =>
    jobs.map((job) => ({ labels: { job: job.name }, value: value(job) }));
  return [
    gauge(
      "paygrant_queue_waiting",
      "Due items not processed yet.",
      queues.map(({ queue, waiting }) => ({ labels: { queue }, value: waiting })),
    ),
    gauge(
      "paygrant_queue_lag_seconds",
      "Age of the oldest due item.",
      queues.map(({ queue, lagSeconds }) => ({ labels: { queue }, value: lagSeconds })),
    ),
    counter(
      "paygrant_job_runs_total",
      "Runs of each job, by all workers.",
      byJob(({ runs }) => runs),
    ),
    counter(
      "paygrant_job_failures_total",
      "Runs that failed.",
      byJob(({ failures }) => failures),
    ),
    gauge(
      "paygrant_job_last_success_timestamp_seconds",
      "When each job last succeeded.",
      byJob(({ okAt }) => (okAt ? okAt.getTime() / 1000 : 0)),
    ),
  ];
};
