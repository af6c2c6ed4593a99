import { setTimeout as sleep } from "node:timers/promises";
import { PgBoss } from "pg-boss";
import { ensureStatusLists } from "../credentials/status-lists/publish-status-lists.ts";
import { markRecentChargeSumsDue } from "../data/charges/merchant/charge-sums.ts";
import { connectionOptions } from "../data/connect.ts";
import { databaseTimeouts } from "../data/timeouts.ts";
import type { Deps } from "../deps/deps.ts";
import { publishLog } from "../directory/log/publish-log.ts";
import { addSeconds } from "../kernel/time/clock.ts";
import { drainMilliseconds } from "../platform/lifecycle.ts";
import { type TraceJob, untraced } from "../platform/tracing/trace-job.ts";
import { resetJob } from "../sandbox/reset-job.ts";
import { billPeriodsTick } from "./billing/bill-periods.ts";
import { checkBudgetsTick } from "./billing/check-budgets.ts";
import { checkVatNumbersJob } from "./billing/check-vat-numbers.ts";
import { collectInvoicesTick } from "./billing/collect-invoices.ts";
import { creditSlaMonthsTick } from "./billing/credit-sla-months.ts";
import { drawInvoicePdfsTick } from "./billing/draw-invoice-pdfs.ts";
import { expireCreditsTick } from "./billing/expire-credits.ts";
import { reconcileUsageJob } from "./billing/reconcile-usage.ts";
import { settleInvoiceCardsTick } from "./billing/settle-invoice-cards.ts";
import { checkRefundsTick } from "./charges/check-refunds.ts";
import { reconcileChargesTick } from "./charges/reconcile-charges.ts";
import { reconcileDisputesTick } from "./charges/reconcile-disputes.ts";
import { reconcileRefundsTick } from "./charges/reconcile-refunds.ts";
import { settleCardSetupsTick } from "./charges/settle-card-setups.ts";
import { sumChargesTick } from "./charges/sum-charges.ts";
import { checkDomainsJob } from "./directory/check-domains.ts";
import { checkFederationJob } from "./directory/check-federation.ts";
import { checkHealthTick } from "./directory/check-health.ts";
import { cosignLogTick } from "./directory/cosign-log.ts";
import { expireTransfersJob } from "./directory/expire-transfers.ts";
import { publishLogTick } from "./directory/publish-log.ts";
import type { ScheduledJob, Tick } from "./job.ts";
import { expireMandatesTick } from "./mandates/expire-mandates.ts";
import { publishStatusListsTick } from "./mandates/publish-status-lists.ts";
import { withdrawCredentialsTick } from "./mandates/withdraw-credentials.ts";
import { refreshProcessorAccountsJob } from "./merchants/refresh-processor-accounts.ts";
import { dispatchEventsTick } from "./messages/dispatch-events.ts";
import { queueMailBatchesTick } from "./messages/queue-mail-batches.ts";
import { createSendMailTick } from "./messages/send-mail.ts";
import { createSendWebhooksTick } from "./messages/send-webhooks.ts";
import { forgetRefreshSuccessorsTick } from "./oauth/forget-refresh-successors.ts";
import { importForeignKeysTick } from "./oauth/import-foreign-keys.ts";
import { maintainSigningKeysJob } from "./oauth/maintain-signing-keys.ts";
import { deleteAccountsTick } from "./privacy/delete-accounts.ts";
import { prepareDataExportsTick } from "./privacy/prepare-data-exports.ts";
import { grantProbeJob } from "./status/grant-probe.ts";
import { remindPostmortemsJob } from "./status/remind-postmortems.ts";
import { runMaintenancesTick } from "./status/run-maintenances.ts";
import { announceResetsJob, finishResetTick, resetJobOf } from "./status/sandbox-resets.ts";
import { startTick } from "./ticker.ts";
import { anchorAuditJob } from "./upkeep/anchor-audit.ts";
import { chainAuditTick } from "./upkeep/chain-audit.ts";
import { deleteExpiredRowsJob } from "./upkeep/delete-expired-rows.ts";
import { ensurePartitions, partitionUpkeepJob } from "./upkeep/partition-upkeep.ts";

const scheduledJobs: readonly ScheduledJob[] = [
  partitionUpkeepJob,
  deleteExpiredRowsJob,
  maintainSigningKeysJob,
  anchorAuditJob,
  grantProbeJob,
  refreshProcessorAccountsJob,
  reconcileUsageJob,
  checkVatNumbersJob,
  checkDomainsJob,
  checkFederationJob,
  expireTransfersJob,
];

/** The status page covers production and uses production's database. */
const productionJobs: readonly ScheduledJob[] = [remindPostmortemsJob];
const productionTicks: readonly Tick[] = [runMaintenancesTick];

const ticksOf = (deps: Deps): readonly Tick[] => [
  publishStatusListsTick,
  reconcileChargesTick,
  reconcileRefundsTick,
  checkRefundsTick,
  reconcileDisputesTick,
  settleCardSetupsTick,
  sumChargesTick,
  prepareDataExportsTick,
  deleteAccountsTick,
  dispatchEventsTick,
  createSendWebhooksTick(),
  queueMailBatchesTick,
  createSendMailTick(deps.config),
  expireMandatesTick,
  billPeriodsTick,
  creditSlaMonthsTick,
  collectInvoicesTick,
  settleInvoiceCardsTick,
  checkBudgetsTick,
  expireCreditsTick,
  drawInvoicePdfsTick,
  withdrawCredentialsTick,
  publishLogTick,
  cosignLogTick,
  checkHealthTick,
  forgetRefreshSuccessorsTick,
  chainAuditTick,
  ...(deps.config.environment === "production" ? productionTicks : []),
  ...(deps.config.environment === "sandbox" && deps.config.productionUrl !== null ? [importForeignKeysTick] : []),
  ...(deps.config.environment === "sandbox" ? [finishResetTick] : []),
];

const day = 24 * 3600;

/**
 * Runs the jobs of one environment in its own database: ticks in this process, schedules through pg-boss. Any number of
 * workers may run: each kind of job divides its work among them.
 */
export const startWorker = async (deps: Deps, trace: TraceJob = untraced): Promise<{ stop(): Promise<void> }> => {
  await ensurePartitions(deps);
  await ensureStatusLists(deps);
  // A new log gets its first checkpoint now. A failure is only logged, because the tick tries again and reports errors.
  await publishLog(deps).catch((err: unknown) => deps.log.warn({ err }, "the directory's log isn't published"));
  await markRecentSums(deps);
  const boss = await startBoss(deps, trace);
  await scheduleResets(boss, deps, trace);
  const ticks = ticksOf(deps).map((tick) => startTick(deps, tracedTick(tick, trace)));
  return {
    async stop() {
      const stopped = Promise.all([
        ...ticks.map((tick) => tick.stop()),
        boss.stop({ graceful: true, close: true, timeout: drainMilliseconds }),
      ]);
      // Jobs that still run after this time may be killed at any point. Another run resumes their work.
      await Promise.race([stopped, sleep(drainMilliseconds + 1_000, undefined, { ref: false })]);
    },
  };
};

/**
 * Queues recent charges for the sums of charges. During an upgrade, a worker of an older version, which has no sums of
 * charges, can dispatch events without queueing their charges.
 */
const markRecentSums = async ({ db, businessClock, log }: Deps): Promise<void> => {
  const since = addSeconds(await businessClock.now(), -2 * day);
  await markRecentChargeSumsDue(db.sql, since).catch((err: unknown) =>
    log.warn({ err }, "recent charges could not be queued for the sums of charges; the next start tries again"),
  );
};

const tracedTick = (tick: Tick, trace: TraceJob): Tick => ({
  ...tick,
  run: (deps) =>
    trace(
      tick.name,
      () => tick.run(deps),
      ({ done }) => done > 0,
    ),
});

const startBoss = async (deps: Deps, trace: TraceJob): Promise<PgBoss> => {
  const boss = new PgBoss({
    ...connectionOptions(deps.config.databaseUrl, databaseTimeouts(deps.config, "worker")),
    schema: "pgboss",
    application_name: "paygrant-jobs",
    max: 3,
    // Schedules have a resolution of minutes, so pg-boss polls the database rarely. Its flows aren't used.
    cronWorkerIntervalSeconds: 15,
    flowIntervalSeconds: 600,
  });
  // Without a listener an error would end the process. pg-boss recovers automatically when the database is available
  // again.
  boss.on("error", (error) => deps.log.warn({ err: error }, "job queue"));
  boss.on("warning", (warning) => deps.log.warn({ warning }, "job queue"));
  await boss.start();
  const ofProduction = deps.config.environment === "production" ? productionJobs : [];
  for (const job of [...scheduledJobs, ...ofProduction]) await schedule(boss, deps, { job, trace });
  return boss;
};

const schedule = async (
  boss: PgBoss,
  deps: Deps,
  { job, trace }: { job: ScheduledJob; trace: TraceJob },
): Promise<void> => {
  const options = {
    expireInSeconds: job.expireInSeconds,
    retryLimit: job.retryLimit ?? 2,
    retryDelay: 10,
    retryDelayMax: job.retryDelayMax ?? 600,
    retryBackoff: true,
    retentionSeconds: day,
    deleteAfterSeconds: 7 * day,
    // A crashed worker is detected and its run is taken over within about a minute.
    heartbeatSeconds: 30,
  };
  // Exclusive: at most one run is queued or active at a time, for any number of workers.
  await boss.createQueue(job.name, { policy: "exclusive", ...options });
  await boss.schedule(job.name, job.cron, null, { tz: "UTC", missed: job.missed ?? "skip" });
  await boss.work(job.name, { pollingIntervalSeconds: 20, batchSize: 1 }, async () => {
    const startedAt = performance.now();
    const outcome = await trace(
      job.name,
      () => job.run(deps),
      () => true,
    );
    const milliseconds = Math.round(performance.now() - startedAt);
    deps.log.info({ job: job.name, milliseconds, ...outcome }, "job done");
    return outcome;
  });
};

/**
 * Schedules the job that resets the sandbox or announces its resets. If no reset is configured, removes the schedule of
 * an earlier setting. A changed setting is announced immediately instead of at the next hourly run.
 */
const scheduleResets = async (boss: PgBoss, deps: Deps, trace: TraceJob): Promise<void> => {
  const job = resetJobOf(deps.config);
  if (job) await schedule(boss, deps, { job, trace });
  else await boss.unschedule(resetJob);
  if (job === announceResetsJob) {
    await job
      .run(deps)
      .catch((err: unknown) => deps.log.warn({ err }, "resets not announced; the next hourly run tries again"));
  }
};
