/**
 * Whose rows a table holds. A sharded database would distribute the table by this key
 * (docs/runbooks/distribution-keys.md). Tables of `time` have no such owner, for example logs and queues.
 */
type Owner = "merchant" | "mandate" | "payer" | "client" | "time";

type Growing = {
  owner: Owner;
  /** per mille of all rows; default: 500 rows and 0.5 per mille */
  share?: number;
  /** a copy of each row for each copied tenant, because rows of other tables refer to it */
  isReferenced?: true;
  /** only rows with this condition are copied, because workers would process the copies of other rows */
  settled?: string;
  /** expressions for columns that can't be copied or derived from their type; `n` is the number of the copy */
  values?: Readonly<Record<string, string>>;
};

/** Tables that grow with the number of tenants or with traffic. */
export const growingTables: Readonly<Record<string, Growing>> = {
  account: { owner: "payer", isReferenced: true, values: { display_name: "'Payer ' || n" } },
  card_setup: { owner: "payer", values: { state: "'ended'" } },
  consent: { owner: "payer", isReferenced: true },
  data_export: { owner: "payer" },
  email_change: { owner: "payer" },
  notification_choice: { owner: "payer" },
  passkey_challenge: { owner: "payer", values: { purpose: "'sign_in'" } },
  password_reset: { owner: "payer" },
  payment_method: { owner: "payer", isReferenced: true },
  pending_sign_up: { owner: "payer" },
  session: { owner: "payer", share: 10 },
  sign_in_bucket: { owner: "payer" },
  sign_in_event: { owner: "payer", share: 10 },
  sign_up_invitation: { owner: "payer" },

  assertion_jti: { owner: "client", share: 80 },
  authorization_code: { owner: "client", share: 15 },
  client: { owner: "client", isReferenced: true, values: { name: "'App ' || n" } },
  client_key_set: { owner: "client" },
  dpop_jti: { owner: "client", share: 60 },
  foreign_client_key: { owner: "client" },
  grant: { owner: "client", isReferenced: true },
  pushed_request: { owner: "client", share: 30 },
  refresh_token: { owner: "client", share: 30 },
  token_denial: { owner: "client", share: 10 },

  charge: {
    owner: "mandate",
    share: 120,
    settled: "next_lookup_at IS NULL",
    values: { expires_at: "CASE WHEN e.expires_at IS NOT NULL THEN now() + n * interval '1 second' END" },
  },
  charge_notice: { owner: "mandate", values: { charge_id: "CASE WHEN n % 2 = 0 THEN e.charge_id END" } },
  credential_use: { owner: "mandate", share: 10 },
  dispute: {
    owner: "mandate",
    share: 30,
    values: { status: "CASE WHEN n % 2 = 0 THEN 'won' ELSE 'lost' END", closed_at: "now()" },
  },
  mandate: { owner: "mandate", isReferenced: true },
  mandate_period: { owner: "mandate", isReferenced: true },
  mandate_version: { owner: "mandate", isReferenced: true, values: { list_number: "1000000 + n * 64 + e.original" } },
  refund: { owner: "mandate", share: 20, settled: "next_lookup_at IS NULL AND next_check_at IS NULL" },

  api_log: { owner: "merchant", share: 60 },
  billing_budget_check: { owner: "merchant" },
  billing_card_setup: { owner: "merchant", values: { state: "'ended'" } },
  billing_collection: { owner: "merchant" },
  billing_credit_grant: { owner: "merchant", values: { kind: "'promotional'" } },
  billing_invoice: { owner: "merchant" },
  billing_pending_change: { owner: "merchant" },
  billing_period: { owner: "merchant", values: { due_at: "now() + n * interval '1 second'" } },
  billing_subscription: { owner: "merchant", isReferenced: true },
  billing_usage_cut_off: { owner: "merchant" },
  charge_amount_day: { owner: "merchant", share: 5 },
  charge_mandate_day: { owner: "merchant", share: 5 },
  charge_sum: { owner: "merchant", share: 20 },
  idempotency_key: { owner: "merchant", share: 80 },
  merchant: { owner: "merchant", isReferenced: true, values: { display_name: "'Shop ' || n" } },
  merchant_invitation_email: { owner: "merchant" },
  merchant_logo: { owner: "merchant" },
  merchant_mandate: { owner: "merchant", isReferenced: true },
  merchant_member: { owner: "merchant", isReferenced: true },
  meter_event: { owner: "merchant", share: 60 },
  meter_minute: { owner: "merchant", share: 10 },
  meter_reconciliation: { owner: "merchant" },
  participant: { owner: "merchant", isReferenced: true },
  participant_domain: { owner: "merchant", values: { verified_at: "now()" } },
  participant_health: { owner: "merchant" },
  participant_transfer: { owner: "merchant", values: { state: "'declined'", ended_at: "now()" } },
  usage_event: { owner: "merchant", share: 50 },
  usage_event_key: { owner: "merchant", share: 50 },
  usage_hour: { owner: "merchant", share: 10 },
  verification: { owner: "merchant", share: 40 },
  verification_log: { owner: "merchant", share: 30 },
  verification_minute: { owner: "merchant", share: 10 },
  webhook_attempt: { owner: "merchant", share: 60 },
  webhook_delivery: { owner: "merchant", share: 80, settled: "state <> 'pending'" },
  webhook_endpoint: { owner: "merchant", isReferenced: true },
  webhook_secret: { owner: "merchant", isReferenced: true },

  audit_block: { owner: "time" },
  audit_entry: { owner: "time", share: 100, values: { seq: "-(n * 64 + e.original)" } },
  event: { owner: "time", share: 90, settled: "dispatched_at IS NOT NULL" },
  latency_hour: { owner: "time" },
  mail: { owner: "time", share: 20, settled: "state <> 'pending'" },
  meter_reconciliation_day: { owner: "time" },
  request_minute: { owner: "time" },
  status_subscriber: { owner: "time" },
  status_suspension: {
    owner: "time",
    values: { list_number: "1 + n % 3", status_index: "n", lifted_at: "CASE WHEN n % 20 > 0 THEN now() END" },
  },
};

/** Tables that stay small. PostgreSQL may read them whole. */
export const smallTables: Readonly<Record<string, string>> = {
  audit_chain: "one row for each of four chains",
  billing_plan: "the catalogue of plans",
  billing_plan_migration: "the catalogue of plans",
  billing_plan_version: "the catalogue of plans",
  blocked_client_key: "keys that operators blocked, one by one",
  charge_sum_due: "a queue: a row is deleted once its quarter of an hour is summed",
  directory_log: "one row",
  directory_log_checkpoint: "one row",
  mail_batch: "a queue: a row is deleted once its e-mails are queued",
  mandate_mail_batch: "a queue: a row is deleted once its e-mails are queued",
  pg_database: "a catalog of PostgreSQL",
  signing_key: "about ten rows for each purpose",
  status_change: "a queue: a row is deleted once its list is built",
  status_list: "three rows for a million mandates",
};
