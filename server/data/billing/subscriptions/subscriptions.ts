import type { PlanRef } from "../../../billing/rules/plans/terms.ts";
import type { BillingInterval } from "../../../kernel/billing/interval-months.ts";
import { type Sql, statement } from "../../client.ts";

export type SubscriptionStatus = "active" | "past_due" | "suspended" | "cancelled";

/** A merchant's subscription to a plan of the catalogue. */
export type SubscriptionRow = {
  id: string;
  merchantId: string;
  planId: string;
  planVersion: number;
  /** the currency of flat fees, of minimums, and of meters that have no currency */
  currency: string;
  status: SubscriptionStatus;
  /** the day from which the periods are counted, for example `2026-11-26` */
  anchorDate: string;
  interval: BillingInterval;
  timeZone: string;
  trialEndsAt: Date | null;
  cancelAt: Date | null;
  endedAt: Date | null;
  createdAt: Date;
  /** the plan that follows at the end of the current period */
  pendingPlanId: string | null;
  pendingPlanVersion: number | null;
  pendingAt: Date | null;
};

const columns = `s.id, s.merchant_id AS "merchantId", s.plan_id AS "planId", s.plan_version AS "planVersion", s.currency,
  s.status, s.anchor_date::text AS "anchorDate", s.interval, s.time_zone AS "timeZone", s.trial_ends_at AS "trialEndsAt",
  s.cancel_at AS "cancelAt", s.ended_at AS "endedAt", s.created_at AS "createdAt", c.plan_id AS "pendingPlanId",
  c.plan_version AS "pendingPlanVersion", c.effective_at AS "pendingAt"`;
const subscriptions = "billing_subscription s LEFT JOIN billing_pending_change c ON c.subscription_id = s.id";

const findLatest = statement<SubscriptionRow>(
  "find_billing_subscription",
  `SELECT ${columns} FROM ${subscriptions} WHERE s.merchant_id = $1
    ORDER BY s.ended_at IS NULL DESC, s.created_at DESC, s.id LIMIT 1`,
);

/** The merchant's current subscription or, if it has none, its last one. */
export const findBillingSubscription = async (sql: Sql, merchantId: string): Promise<SubscriptionRow | null> =>
  (await sql.query(findLatest, [merchantId]))[0] ?? null;

const find = statement<SubscriptionRow>(
  "get_billing_subscription",
  `SELECT ${columns} FROM ${subscriptions} WHERE s.id = $1`,
);

export const getSubscriptionRow = async (sql: Sql, id: string): Promise<SubscriptionRow> => {
  const [row] = await sql.query(find, [id]);
  if (!row) throw new Error(`subscription ${id} not found`);
  return row;
};

const lockCurrent = statement<{ id: string }>(
  "lock_billing_subscription_of",
  "SELECT id FROM billing_subscription WHERE merchant_id = $1 AND ended_at IS NULL FOR NO KEY UPDATE",
);

/**
 * Locks the merchant's current subscription. Each change of a subscription or of its periods begins with this lock. The
 * subscription is read by a second statement, which sees what the previous holder of the lock wrote.
 */
export const lockSubscriptionOf = async (sql: Sql, merchantId: string): Promise<SubscriptionRow | null> => {
  const [locked] = await sql.query(lockCurrent, [merchantId]);
  return locked ? getSubscriptionRow(sql, locked.id) : null;
};

const lockOne = statement<never>(
  "lock_billing_subscription",
  "SELECT FROM billing_subscription WHERE id = $1 FOR NO KEY UPDATE",
);

/** Locks a subscription, even if it has ended. */
export const lockSubscriptionRow = async (sql: Sql, id: string): Promise<void> => {
  await sql.query(lockOne, [id]);
};

const findEnd = statement<{ endedAt: Date | null }>(
  "find_billing_subscription_end",
  `SELECT max(ended_at) AS "endedAt" FROM billing_subscription WHERE merchant_id = $1`,
);

/** When the merchant's last ended subscription ended; null if none has ended. */
export const findLastEnd = async (sql: Sql, merchantId: string): Promise<Date | null> =>
  (await sql.query(findEnd, [merchantId]))[0]?.endedAt ?? null;

const insert = statement<never>(
  "insert_billing_subscription",
  `INSERT INTO billing_subscription (id, merchant_id, plan_id, plan_version, currency, status, anchor_date, interval,
     time_zone, trial_ends_at, created_at, sla_due_at)
   VALUES ($1, $2, $3, $4::int, $5, $6, $7::date, $8, $9, $10::timestamptz, $11::timestamptz, $12::timestamptz)`,
);

export type NewSubscription = {
  id: string;
  merchantId: string;
  plan: PlanRef;
  currency: string;
  status: SubscriptionStatus;
  anchorDate: string;
  interval: BillingInterval;
  timeZone: string;
  trialEndsAt: Date | null;
  createdAt: Date;
  /** when the SLA credits of its first month are computed */
  slaDueAt: Date;
};

/** Call it in a transaction that has locked the merchant's row, so that a merchant never has two current ones. */
export const insertSubscription = async (sql: Sql, of: NewSubscription): Promise<void> => {
  const { id, merchantId, plan, currency, status, anchorDate, interval, timeZone, trialEndsAt, createdAt, slaDueAt } =
    of;
  const terms = [plan.id, plan.version, currency, status, anchorDate, interval, timeZone];
  await sql.query(insert, [id, merchantId, ...terms, trialEndsAt, createdAt, slaDueAt]);
};

const update = statement<never>(
  "update_billing_subscription",
  `UPDATE billing_subscription SET plan_id = $2, plan_version = $3::int, currency = $4, status = $5,
     anchor_date = $6::date, interval = $7, cancel_at = $8::timestamptz, ended_at = $9::timestamptz,
     revision = revision + 1 WHERE id = $1`,
);

/** Call it in the transaction that locked the subscription. */
export const updateSubscription = async (sql: Sql, row: SubscriptionRow): Promise<void> => {
  const { id, planId, planVersion, currency, status, anchorDate, interval, cancelAt, endedAt } = row;
  await sql.query(update, [id, planId, planVersion, currency, status, anchorDate, interval, cancelAt, endedAt]);
};

const insertPending = statement<never>(
  "insert_billing_pending_change",
  `INSERT INTO billing_pending_change (subscription_id, plan_id, plan_version, effective_at, requested_at)
   VALUES ($1, $2, $3::int, $4::timestamptz, $5::timestamptz)`,
);

type PendingChange = { subscriptionId: string; plan: PlanRef; effectiveAt: Date; requestedAt: Date };

export const insertPendingChange = async (sql: Sql, change: PendingChange): Promise<void> => {
  const { subscriptionId, plan, effectiveAt, requestedAt } = change;
  await sql.query(insertPending, [subscriptionId, plan.id, plan.version, effectiveAt, requestedAt]);
};

const removePending = statement<never>(
  "delete_billing_pending_change",
  "DELETE FROM billing_pending_change WHERE subscription_id = $1",
);

export const deletePendingChange = async (sql: Sql, subscriptionId: string): Promise<void> => {
  await sql.query(removePending, [subscriptionId]);
};
