import { type Sql, statement } from "../../client.ts";

const claim = statement<{ id: string; dueAt: Date }>(
  "claim_due_sla_month",
  `SELECT s.id, s.sla_due_at AS "dueAt" FROM billing_subscription s
    WHERE s.sla_due_at <= $1::timestamptz AND (s.sla_retry_at IS NULL OR s.sla_retry_at <= $2::timestamptz)
    ORDER BY s.sla_due_at LIMIT 1 FOR NO KEY UPDATE SKIP LOCKED`,
);

/** Locks the subscription whose SLA credits are due first. Skips subscriptions that another transaction has locked. */
export const claimDueSlaMonth = async (
  sql: Sql,
  { until, realNow }: { until: Date; realNow: Date },
): Promise<{ id: string; dueAt: Date } | null> => (await sql.query(claim, [until, realNow]))[0] ?? null;

const find = statement<{ dueAt: Date | null }>(
  "find_sla_due_at",
  `SELECT sla_due_at AS "dueAt" FROM billing_subscription WHERE id = $1`,
);

/** Whether the SLA credits of all months of an ended subscription are computed. */
export const areSlaMonthsDone = async (sql: Sql, subscriptionId: string): Promise<boolean> =>
  (await sql.query(find, [subscriptionId]))[0]?.dueAt === null;

const setNext = statement<never>(
  "set_next_sla_month",
  "UPDATE billing_subscription SET sla_due_at = $2::timestamptz, sla_retry_at = NULL WHERE id = $1",
);

/** @param dueAt when the SLA credits of the next month are due; null: the subscription has no further month. */
export const setNextSlaMonth = async (sql: Sql, subscriptionId: string, dueAt: Date | null): Promise<void> => {
  await sql.query(setNext, [subscriptionId, dueAt]);
};

const postpone = statement<never>(
  "postpone_sla_month",
  "UPDATE billing_subscription SET sla_retry_at = $2::timestamptz WHERE id = $1",
);

/** @param retryAt real time of the next attempt */
export const postponeSlaMonth = async (sql: Sql, subscriptionId: string, retryAt: Date): Promise<void> => {
  await sql.query(postpone, [subscriptionId, retryAt]);
};
