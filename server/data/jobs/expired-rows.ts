import { type Sql, type Statement, statement } from "../client.ts";

/** Maximum number of rows that most statements delete. A mass DELETE would hold locks for long and write much WAL. */
const batchSize = 500;

const deletion = (name: string, text: string): Statement<{ deleted: number }> =>
  statement(name, `WITH removed AS (${text} RETURNING 1) SELECT count(*)::int AS deleted FROM removed`);

const plain = (table: string, key: string, column: string): Statement<{ deleted: number }> =>
  deletion(
    `delete_expired_${table}`,
    `DELETE FROM ${table} WHERE ${key} IN (
       SELECT ${key} FROM ${table} WHERE ${column} < $1::timestamptz ORDER BY ${column} LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
     )`,
  );

/**
 * Deletes rows of a default partition: they arrived before their own partition was created. All other rows are dropped
 * with their partition. A default partition may have no index on time.
 */
const defaultPartition = (table: string, column: string): Statement<{ deleted: number }> =>
  deletion(
    `delete_expired_${table}_default`,
    `DELETE FROM ${table}_default WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM ${table}_default WHERE ${column} < $1::timestamptz LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
     ))`,
  );

/** The statements that delete expired rows, by table. $1: the instant before which no check needs a row. */
const deletions = {
  session: plain("session", "id", "expires_at"),
  sign_in_bucket: plain("sign_in_bucket", "key", "last_at"),
  passkey_challenge: plain("passkey_challenge", "hash", "expires_at"),
  password_reset: plain("password_reset", "token_hash", "expires_at"),
  email_change: plain("email_change", "id", "expires_at"),
  sign_in_event: plain("sign_in_event", "id", "at"),
  card_setup: plain("card_setup", "id", "expires_at"),
  billing_card_setup: plain("billing_card_setup", "id", "expires_at"),
  pending_sign_up: plain("pending_sign_up", "id", "expires_at"),
  sign_up_invitation: plain("sign_up_invitation", "token_hash", "expires_at"),
  merchant_invitation_email: plain("merchant_invitation_email", "token_hash", "sent_at"),
  // Deletes only keys whose response became final before the instant. An open charge must keep the key that prevents a
  // duplicate, and a charge that was settled late must not lose its key immediately.
  idempotency_key: deletion(
    "delete_expired_idempotency_key",
    `DELETE FROM idempotency_key WHERE (merchant_id, route, key) IN (
       SELECT merchant_id, route, key FROM idempotency_key
       WHERE created_at < $1::timestamptz AND response_status IS NOT NULL AND coalesce(answered_at, created_at) < $1::timestamptz ORDER BY created_at LIMIT ${batchSize}
     )`,
  ),
  // A batch is ten times larger than for other tables, because thousands of keys are created per second.
  usage_event_key: deletion(
    "delete_expired_usage_event_key",
    `DELETE FROM usage_event_key WHERE (merchant_id, source, event_id) IN (
       SELECT merchant_id, source, event_id FROM usage_event_key
       WHERE time < $1::timestamptz ORDER BY time LIMIT ${10 * batchSize} FOR UPDATE SKIP LOCKED
     )`,
  ),
  credential_use: plain("credential_use", "charge_id", "expires_at"),
  charge_notice: plain("charge_notice", "id", "due_at"),
  data_export: plain("data_export", "id", "expires_at"),
  participant_transfer: plain("participant_transfer", "id", "ended_at"),
  status_suspension: plain("status_suspension", "id", "lifted_at"),
  charge_sum: deletion(
    "delete_expired_charge_sum",
    `DELETE FROM charge_sum WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM charge_sum WHERE slot < $1::timestamptz ORDER BY slot LIMIT ${batchSize}
     ))`,
  ),
  latency_hour: deletion(
    "delete_expired_latency_hour",
    "DELETE FROM latency_hour WHERE ctid = ANY (ARRAY(SELECT ctid FROM latency_hour WHERE hour < $1::timestamptz LIMIT 500))",
  ),
  request_minute: deletion(
    "delete_expired_request_minute",
    `DELETE FROM request_minute WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM request_minute WHERE minute < $1::timestamptz LIMIT ${batchSize}
     ))`,
  ),
  // Subscriptions that were requested for an address and never confirmed.
  status_subscriber: deletion(
    "delete_expired_status_subscriber",
    `DELETE FROM status_subscriber WHERE id IN (
       SELECT id FROM status_subscriber WHERE confirmed_at IS NULL AND confirm_expires_at < $1::timestamptz
       ORDER BY confirm_expires_at LIMIT ${batchSize} FOR UPDATE SKIP LOCKED
     )`,
  ),
  assertion_jti_default: defaultPartition("assertion_jti", "exp"),
  dpop_jti_default: defaultPartition("dpop_jti", "iat"),
  pushed_request_default: defaultPartition("pushed_request", "dated_at"),
  authorization_code_default: defaultPartition("authorization_code", "dated_at"),
  refresh_token_default: defaultPartition("refresh_token", "dated_at"),
  token_denial_default: defaultPartition("token_denial", "expires_at"),
  webhook_delivery_default: defaultPartition("webhook_delivery", "created_at"),
  webhook_attempt_default: defaultPartition("webhook_attempt", "delivery_at"),
  api_log_default: defaultPartition("api_log", "at"),
  mail_default: defaultPartition("mail", "created_at"),
  usage_event_default: defaultPartition("usage_event", "time"),
  usage_hour_default: defaultPartition("usage_hour", "hour"),
  verification_default: defaultPartition("verification", "time"),
  verification_log_default: defaultPartition("verification_log", "time"),
  verification_minute_default: defaultPartition("verification_minute", "minute"),
  meter_event_default: defaultPartition("meter_event", "time"),
  meter_minute_default: defaultPartition("meter_minute", "minute"),
  meter_reconciliation_default: defaultPartition("meter_reconciliation", "day"),
  charge_amount_day_default: defaultPartition("charge_amount_day", "day"),
  charge_mandate_day_default: defaultPartition("charge_mandate_day", "day"),
  // One row per day.
  meter_reconciliation_day: deletion(
    "delete_expired_meter_reconciliation_day",
    "DELETE FROM meter_reconciliation_day WHERE day < $1::timestamptz",
  ),
} as const;

export type ExpiringTable = keyof typeof deletions;

/** Deletes one batch. @returns the number of rows, and whether there may be more. */
export const deleteExpiredBatch = async (
  sql: Sql,
  table: ExpiringTable,
  before: Date,
): Promise<{ deleted: number; hasMore: boolean }> => {
  const [row] = await sql.query(deletions[table], [before]);
  const deleted = row?.deleted ?? 0;
  return { deleted, hasMore: deleted >= batchSize };
};
