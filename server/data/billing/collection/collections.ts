import { type Sql, statement } from "../../client.ts";

/** Why no payment is attempted. */
export type CollectionHold = "no_payment_method" | "no_processor" | "error";

/** The collection of one invoice. */
export type CollectionRow = {
  invoiceId: string;
  merchantId: string;
  dueAt: Date | null;
  attemptAt: Date | null;
  hold: CollectionHold | null;
  failures: number;
  firstFailedAt: Date | null;
  overdueAt: Date | null;
  suspendedAt: Date | null;
};

const columns = `c.invoice_id AS "invoiceId", c.merchant_id AS "merchantId", c.due_at AS "dueAt", c.attempt_at AS "attemptAt", c.hold,
  c.failures, c.first_failed_at AS "firstFailedAt", c.overdue_at AS "overdueAt", c.suspended_at AS "suspendedAt"`;

const claim = statement<CollectionRow>(
  "claim_billing_collection",
  `UPDATE billing_collection c SET lease_until = $3::timestamptz
   WHERE c.invoice_id = (
     SELECT invoice_id FROM billing_collection
      WHERE due_at <= $1::timestamptz AND (lease_until IS NULL OR lease_until <= $2::timestamptz)
        AND (retry_at IS NULL OR retry_at <= $2::timestamptz)
      ORDER BY due_at, invoice_id LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED)
   RETURNING ${columns}`,
);

/** Claims the next due step, for one worker. If the worker ends, another takes over after the lease. */
export const claimDueCollection = async (
  sql: Sql,
  { until, realNow, leaseUntil }: { until: Date; realNow: Date; leaseUntil: Date },
): Promise<CollectionRow | null> => (await sql.query(claim, [until, realNow, leaseUntil]))[0] ?? null;

const find = statement<CollectionRow>(
  "find_billing_collection",
  `SELECT ${columns} FROM billing_collection c WHERE c.invoice_id = $1`,
);

/** Null for a draft, and for an invoice that was paid when it was issued. */
export const findCollection = async (sql: Sql, invoiceId: string): Promise<CollectionRow | null> =>
  (await sql.query(find, [invoiceId]))[0] ?? null;

const lock = statement<CollectionRow>(
  "lock_billing_collection",
  `SELECT ${columns} FROM billing_collection c WHERE c.invoice_id = $1 FOR NO KEY UPDATE`,
);

/** Lock the invoice first. Null for a draft, and for an invoice that was paid when it was issued. */
export const lockCollection = async (sql: Sql, invoiceId: string): Promise<CollectionRow | null> =>
  (await sql.query(lock, [invoiceId]))[0] ?? null;

const update = statement<never>(
  "update_billing_collection",
  `UPDATE billing_collection SET due_at = $2::timestamptz, attempt_at = $3::timestamptz, hold = $4, failures = $5::int,
     first_failed_at = $6::timestamptz, overdue_at = $7::timestamptz, suspended_at = $8::timestamptz,
     lease_until = NULL, retry_at = NULL WHERE invoice_id = $1`,
);

/** Writes the state of the collection, and ends the claim. */
export const updateCollection = async (sql: Sql, row: CollectionRow): Promise<void> => {
  const { invoiceId, dueAt, attemptAt, hold, failures, firstFailedAt, overdueAt, suspendedAt } = row;
  await sql.query(update, [invoiceId, dueAt, attemptAt, hold, failures, firstFailedAt, overdueAt, suspendedAt]);
};

const postpone = statement<never>(
  "postpone_billing_collection",
  "UPDATE billing_collection SET retry_at = $2::timestamptz, hold = $3, lease_until = NULL WHERE invoice_id = $1",
);

/** Ends the claim. The next step is due at `retryAt` in real time, for example to look up an unresolved attempt. */
export const postponeCollection = async (
  sql: Sql,
  { invoiceId, retryAt, hold = null }: { invoiceId: string; retryAt: Date; hold?: CollectionHold | null },
): Promise<void> => {
  await sql.query(postpone, [invoiceId, retryAt, hold]);
};

const makeDue = statement<never>(
  "make_billing_collections_due",
  `UPDATE billing_collection c SET attempt_at = $2::timestamptz, due_at = least(c.due_at, $2::timestamptz), hold = NULL
   FROM billing_invoice i WHERE i.id = c.invoice_id AND c.merchant_id = $1 AND i.status = 'open'`,
);

/** Makes all open invoices of a merchant due for collection at this time. */
export const makeCollectionsDue = async (sql: Sql, merchantId: string, at: Date): Promise<void> => {
  await sql.query(makeDue, [merchantId, at]);
};

/** The status of a merchant's subscription, which depends on the merchant's unpaid invoices. */
export type BillingStanding = "active" | "past_due" | "suspended";

const standing = statement<{ standing: BillingStanding }>(
  "find_billing_standing",
  `SELECT CASE WHEN bool_or(c.suspended_at IS NOT NULL) THEN 'suspended' WHEN count(*) > 0 THEN 'past_due' ELSE 'active' END AS standing
     FROM billing_collection c JOIN billing_invoice i ON i.id = c.invoice_id
    WHERE c.merchant_id = $1 AND (c.first_failed_at IS NOT NULL OR c.overdue_at IS NOT NULL)
      AND i.status IN ('open', 'uncollectible')`,
);

export const findBillingStanding = async (sql: Sql, merchantId: string): Promise<BillingStanding> =>
  (await sql.query(standing, [merchantId]))[0]?.standing ?? "active";

const suspend = statement<{ id: string }>(
  "set_billing_suspended",
  `UPDATE merchant SET billing_suspended_at = $2::timestamptz
   WHERE id = $1 AND (billing_suspended_at IS NULL) = ($2::timestamptz IS NOT NULL) RETURNING id`,
);

/** @returns false if nothing changed. */
export const setBillingSuspended = async (sql: Sql, merchantId: string, at: Date | null): Promise<boolean> =>
  (await sql.query(suspend, [merchantId, at])).length > 0;
