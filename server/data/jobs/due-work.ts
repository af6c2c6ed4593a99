import { type Sql, statement } from "../client.ts";

/** For each kind of work: whether some of it is due, or when the first part becomes due. */
export type DueWork = {
  /** when the first step of a billing period is due, in business time; null if no step can be done yet */
  billingDueAt: Date | null;
  /** when the first SLA credits of a month are due, in business time; null if no step can be done yet */
  slaDueAt: Date | null;
  /**
   * when the first step of collecting an invoice is due, in business time; null if no step can be done yet, or if a
   * worker has claimed each of them
   */
  collectionDueAt: Date | null;
  /** when the first check of a merchant's budget alerts is due, in business time; null: none */
  budgetCheckDueAt: Date | null;
  /** when the first prepaid or promotional credit expires, in business time; null: none */
  creditsExpireAt: Date | null;
  /** charges with a due look-up */
  charges: boolean;
  /**
   * when the first step-up or authorization expires, in business time, whether or not a worker has claimed it; null if
   * none will expire
   */
  chargesExpireAt: Date | null;
  /** the start of the first time slot whose charges aren't summed yet, in business time; null: none */
  chargeSumsFrom: Date | null;
  /** requested copies of an account's data */
  dataExports: boolean;
  /** entries of the directory's log that aren't published yet */
  directoryLog: boolean;
  /** undispatched events */
  events: boolean;
  mail: boolean;
  /** changes whose e-mails aren't queued yet */
  mailBatches: boolean;
  /** participants of the directory whose next check is due */
  participantHealth: boolean;
  refunds: boolean;
  /** issued invoices whose PDF isn't drawn yet */
  undrawnInvoices: boolean;
  /** webhook deliveries whose next attempt is due */
  webhooks: boolean;
};

/**
 * Like the claiming statement, each subquery with ORDER BY reads an index of due rows in the index's order. It stops
 * at the first row that isn't waiting for another attempt and isn't claimed by a worker. The tables are named in the
 * order in which TRUNCATE locks them, so that this statement and TRUNCATE can't deadlock.
 */
const find = statement<DueWork>(
  "find_due_work",
  `SELECT
     (SELECT due_at FROM billing_budget_check ORDER BY due_at LIMIT 1) AS "budgetCheckDueAt",
     (SELECT due_at FROM billing_collection WHERE due_at IS NOT NULL AND (retry_at IS NULL OR retry_at <= $1::timestamptz)
         AND (lease_until IS NULL OR lease_until <= $1::timestamptz) ORDER BY due_at LIMIT 1) AS "collectionDueAt",
     (SELECT expires_at FROM billing_credit_grant WHERE remaining > 0 AND expires_at IS NOT NULL
       ORDER BY expires_at LIMIT 1) AS "creditsExpireAt",
     (SELECT true FROM billing_invoice WHERE pdf_sha256 IS NULL AND status <> 'draft' ORDER BY issued_at LIMIT 1) IS TRUE AS "undrawnInvoices",
     (SELECT due_at FROM billing_period WHERE due_at IS NOT NULL AND (retry_at IS NULL OR retry_at <= $1::timestamptz)
       ORDER BY due_at LIMIT 1) AS "billingDueAt",
     (SELECT sla_due_at FROM billing_subscription WHERE sla_due_at IS NOT NULL AND (sla_retry_at IS NULL OR sla_retry_at <= $1::timestamptz)
       ORDER BY sla_due_at LIMIT 1) AS "slaDueAt",
     (SELECT true FROM charge WHERE next_lookup_at <= $1::timestamptz ORDER BY next_lookup_at LIMIT 1) IS TRUE AS charges,
     (SELECT expires_at FROM charge WHERE expires_at IS NOT NULL ORDER BY expires_at LIMIT 1) AS "chargesExpireAt",
     (SELECT slot FROM charge_sum_due ORDER BY slot LIMIT 1) AS "chargeSumsFrom",
     (SELECT true FROM data_export WHERE ready_at IS NULL AND coalesce(lease_until, '-infinity') < $1::timestamptz
       ORDER BY requested_at LIMIT 1) IS TRUE AS "dataExports",
     ((SELECT size FROM directory_log) > coalesce((SELECT size FROM directory_log_checkpoint), 0)) IS TRUE AS "directoryLog",
     (SELECT true FROM event WHERE dispatched_at IS NULL ORDER BY created_at LIMIT 1) IS TRUE AS events,
     (SELECT true FROM mail WHERE state = 'pending' AND next_attempt_at <= $1::timestamptz
       ORDER BY next_attempt_at LIMIT 1) IS TRUE AS mail,
     (EXISTS (SELECT FROM mail_batch) OR EXISTS (SELECT FROM mandate_mail_batch)) AS "mailBatches",
     (SELECT true FROM participant_health WHERE check_due_at <= $1::timestamptz
       ORDER BY check_due_at LIMIT 1) IS TRUE AS "participantHealth",
     (SELECT true FROM refund WHERE next_lookup_at <= $1::timestamptz ORDER BY next_lookup_at LIMIT 1) IS TRUE AS refunds,
     (SELECT true FROM webhook_delivery WHERE state = 'pending' AND next_attempt_at <= $1::timestamptz
       ORDER BY next_attempt_at LIMIT 1) IS TRUE AS webhooks`,
);

export const findDueWork = async (sql: Sql, now: Date): Promise<DueWork> => {
  const [due] = await sql.query(find, [now]);
  if (!due) throw new Error("the due work statement returned no row");
  return due;
};
