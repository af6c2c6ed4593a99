import { type Sql, statement } from "../../client.ts";

/** What an operator requested. `exact`: decimal text, in minor units. */
export type FurtherCreditRow = { month: Date; component: string; currency: string; exact: string };
type Key = { merchantId: string; key: string };

const find = statement<FurtherCreditRow>(
  "find_further_sla_credit",
  `SELECT month::timestamp AT TIME ZONE 'UTC' AS month, component, currency, exact::text AS exact
     FROM billing_further_sla_credit WHERE merchant_id = $1 AND key = $2`,
);

/** Call it in a transaction that has locked the merchant. */
export const findFurtherCredit = async (sql: Sql, { merchantId, key }: Key): Promise<FurtherCreditRow | null> =>
  (await sql.query(find, [merchantId, key]))[0] ?? null;

const insert = statement<never>(
  "insert_further_sla_credit",
  `INSERT INTO billing_further_sla_credit (merchant_id, key, month, component, currency, exact, created_at)
   VALUES ($1, $2, $3::date, $4, $5, $6::numeric, $7::timestamptz)`,
);

export const insertFurtherCredit = async (
  sql: Sql,
  { merchantId, key, month, component, currency, exact, at }: Key & FurtherCreditRow & { at: Date },
): Promise<void> => {
  await sql.query(insert, [merchantId, key, month, component, currency, exact, at]);
};

const lock = statement<never>(
  "lock_subscriptions_for_sla",
  "SELECT FROM billing_subscription WHERE merchant_id = $1 ORDER BY id FOR NO KEY UPDATE",
);

/** `slaDueAt`: when the next month's credits are due; null: all months are computed. */
export type CreditableSubscription = { id: string; slaDueAt: Date | null; hasNextInvoice: boolean };

const listSubscriptions = statement<CreditableSubscription>(
  "list_subscriptions_for_sla",
  `SELECT s.id, s.sla_due_at AS "slaDueAt", EXISTS (
       SELECT FROM billing_period p WHERE p.subscription_id = s.id AND p.state <> 'final') AS "hasNextInvoice"
     FROM billing_subscription s WHERE s.merchant_id = $1 ORDER BY s.id`,
);

/**
 * Locks all subscriptions of the merchant, including ended subscriptions. They are read by a second statement, which
 * sees what the previous holder of the lock wrote.
 */
export const lockCreditableSubscriptions = async (sql: Sql, merchantId: string): Promise<CreditableSubscription[]> => {
  await sql.query(lock, [merchantId]);
  return sql.query(listSubscriptions, [merchantId]);
};

/** Sums of the SLA credits of a fee, as decimal text. */
export type CreditedFeeRow = { currency: string; meter: string; periodFrom: Date; exact: string; percent: string };

const listCredited = statement<CreditedFeeRow>(
  "list_fees_with_sla_credits",
  `SELECT currency, meter, period_from AS "periodFrom", sum(exact)::text AS exact, sum(percent)::text AS percent
     FROM billing_sla_credit WHERE subscription_id = $1 AND month = $2::date GROUP BY 1, 2, 3`,
);

export const listCreditedFees = (sql: Sql, subscriptionId: string, month: Date): Promise<CreditedFeeRow[]> =>
  sql.query(listCredited, [subscriptionId, month]);
