import { setTimeout as sleep } from "node:timers/promises";
import { deleteExpiredBatch, type ExpiringTable } from "../../data/jobs/expired-rows.ts";
import type { Deps } from "../../deps/deps.ts";
import { addSeconds } from "../../kernel/time/clock.ts";
import type { ScheduledJob } from "../job.ts";
import { usageSeconds } from "./partition-upkeep.ts";

const hour = 3600;
const day = 24 * hour;

/**
 * How long a row is kept after its expiry. If upkeep runs too late, rows are stored in a default partition. These rows
 * are kept for the same time as rows in normal partitions.
 */
const keepSeconds: Readonly<Record<ExpiringTable, number>> = {
  session: 30 * day,
  sign_in_bucket: day,
  passkey_challenge: hour,
  password_reset: day,
  email_change: day,
  sign_in_event: 90 * day,
  // The last look-up of a card setup is long before this time.
  card_setup: 30 * day,
  billing_card_setup: 30 * day,
  pending_sign_up: hour,
  sign_up_invitation: hour,
  // A limit counts the e-mails of the last 24 hours.
  merchant_invitation_email: day + hour,
  idempotency_key: 7 * day,
  // A week longer than events are accepted, so that a repeated request gets the right answer even if its event has
  // become too old. During that week, a new event may already use the id again.
  usage_event_key: 42 * day,
  credential_use: hour,
  charge_notice: 400 * day,
  data_export: 0,
  // The audit logs of both merchants keep each step, and the limit on offers counts only the last 24 hours.
  participant_transfer: 90 * day,
  // One day longer than the period that readers may request.
  status_suspension: 91 * day,
  // More than twice the longest period of the overview.
  charge_sum: 400 * day,
  latency_hour: 35 * day,
  // The operators' home page shows the last day.
  request_minute: day + hour,
  status_subscriber: hour,
  assertion_jti_default: hour,
  dpop_jti_default: hour,
  pushed_request_default: hour,
  token_denial_default: hour,
  authorization_code_default: day,
  refresh_token_default: 30 * day,
  webhook_delivery_default: 30 * day,
  webhook_attempt_default: 30 * day,
  verification_log_default: 30 * day,
  api_log_default: 30 * day,
  mail_default: 30 * day,
  usage_event_default: usageSeconds,
  usage_hour_default: usageSeconds,
  verification_default: usageSeconds,
  verification_minute_default: usageSeconds,
  meter_event_default: usageSeconds,
  meter_minute_default: usageSeconds,
  meter_reconciliation_default: usageSeconds,
  charge_amount_day_default: usageSeconds,
  charge_mandate_day_default: usageSeconds,
  meter_reconciliation_day: usageSeconds,
};

/** Maximum batches per table in one run. Remaining rows wait for the next run. */
const batchesPerRun = 400;

/** Deletes expired rows in small batches with pauses between them. @returns the number of rows by table. */
export const deleteExpiredRows = async (deps: Deps): Promise<Record<string, number>> => {
  const deletedByTable: Record<string, number> = {};
  for (const [table, seconds] of Object.entries(keepSeconds) as [ExpiringTable, number][]) {
    const before = addSeconds(deps.clock.now(), -seconds);
    for (let batch = 0; batch < batchesPerRun; batch++) {
      const { deleted, hasMore } = await deleteExpiredBatch(deps.db.sql, table, before);
      if (deleted > 0) deletedByTable[table] = (deletedByTable[table] ?? 0) + deleted;
      if (!hasMore) break;
      await sleep(20);
    }
  }
  return deletedByTable;
};

export const deleteExpiredRowsJob: ScheduledJob = {
  name: "delete-expired-rows",
  cron: "*/5 * * * *",
  expireInSeconds: 240,
  run: async (deps) => ({ deleted: await deleteExpiredRows(deps) }),
};
