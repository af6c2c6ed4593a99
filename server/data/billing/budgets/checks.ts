import { type Sql, statement } from "../../client.ts";

const lock = statement<never>(
  "lock_budget_check",
  `INSERT INTO billing_budget_check (merchant_id, due_at) VALUES ($1, $2::timestamptz)
   ON CONFLICT (merchant_id) DO UPDATE SET due_at = excluded.due_at`,
);

/**
 * Makes the merchant's check due and locks it until the transaction ends, so that concurrent changes of the merchant's
 * alerts run one after another.
 */
export const lockBudgetCheck = async (sql: Sql, merchantId: string, dueAt: Date): Promise<void> => {
  await sql.query(lock, [merchantId, dueAt]);
};

const hasten = statement<never>(
  "hasten_budget_check",
  "UPDATE billing_budget_check SET due_at = least(due_at, $2::timestamptz) WHERE merchant_id = $1",
);

/**
 * Makes the check due at this time at the latest. To avoid a deadlock, call it before you lock alerts: changes of
 * alerts also lock the check first.
 */
export const hastenBudgetCheck = async (sql: Sql, merchantId: string, dueAt: Date): Promise<void> => {
  await sql.query(hasten, [merchantId, dueAt]);
};

const countAlerts = statement<{ count: bigint }>(
  "count_budget_alerts",
  "SELECT count(*) AS count FROM billing_budget_alert WHERE merchant_id = $1",
);

/**
 * Call it after `lockBudgetCheck`, as a separate statement. Its snapshot then includes the alerts that the previous
 * holder of the lock committed.
 */
export const countBudgetAlerts = async (sql: Sql, merchantId: string): Promise<number> =>
  Number((await sql.query(countAlerts, [merchantId]))[0]?.count ?? 0);

const claim = statement<{ merchantId: string }>(
  "claim_budget_checks",
  `UPDATE billing_budget_check c SET due_at = $2::timestamptz FROM (
     SELECT merchant_id FROM billing_budget_check WHERE due_at <= $1::timestamptz ORDER BY due_at LIMIT $3::int
        FOR UPDATE SKIP LOCKED) due
    WHERE c.merchant_id = due.merchant_id RETURNING c.merchant_id AS "merchantId"`,
);

/**
 * Claims the merchants whose check is due. They are due again at `nextAt`, so a check is repeated if its worker was
 * killed.
 */
export const claimBudgetChecks = async (
  sql: Sql,
  { until, nextAt, limit }: { until: Date; nextAt: Date; limit: number },
): Promise<string[]> => (await sql.query(claim, [until, nextAt, limit])).map(({ merchantId }) => merchantId);

const postpone = statement<never>(
  "postpone_budget_check",
  "UPDATE billing_budget_check SET due_at = $3::timestamptz WHERE merchant_id = $1 AND due_at = $2::timestamptz",
);

/** Sets when the check is due next, unless an alert or the plan was changed since the claim. */
export const postponeBudgetCheck = async (
  sql: Sql,
  merchantId: string,
  { claimedUntil, dueAt }: { claimedUntil: Date; dueAt: Date },
): Promise<void> => {
  await sql.query(postpone, [merchantId, claimedUntil, dueAt]);
};
