import { type Sql, statement } from "../../client.ts";

export type BudgetAlertRow = {
  id: string;
  merchantId: string;
  name: string;
  currency: string;
  /** the amount at which the alert fires or, if `percent` is set, the budget of a period */
  amount: bigint;
  percent: number | null;
  sendsMail: boolean;
  sendsWebhook: boolean;
  createdAt: Date;
};

/** `firedAt`, `spent`: of the last period in which the alert fired. */
export type BudgetAlertWithFiring = BudgetAlertRow & {
  firedAt: Date | null;
  firedFor: Date | null;
  spent: bigint | null;
};

/** SQL: the columns of alert `a`. */
export const alertColumns = `a.id, a.merchant_id AS "merchantId", a.name, a.currency, a.amount, a.percent, a.sends_mail AS "sendsMail",
  a.sends_webhook AS "sendsWebhook", a.created_at AS "createdAt"`;

const list = statement<BudgetAlertWithFiring>(
  "list_budget_alerts",
  `SELECT ${alertColumns}, f.fired_at AS "firedAt", f.period_from AS "firedFor", f.spent
     FROM billing_budget_alert a LEFT JOIN LATERAL (
       SELECT * FROM billing_budget_firing WHERE alert_id = a.id ORDER BY period_from DESC LIMIT 1) f ON true
    WHERE a.merchant_id = $1 ORDER BY a.created_at, a.id`,
);

/** A merchant's alerts, oldest first. Their number is limited. */
export const listBudgetAlertRows = (sql: Sql, merchantId: string): Promise<BudgetAlertWithFiring[]> =>
  sql.query(list, [merchantId]);

const find = statement<BudgetAlertRow>(
  "find_budget_alert",
  `SELECT ${alertColumns} FROM billing_budget_alert a WHERE a.id = $1 AND a.merchant_id = $2`,
);

export const findBudgetAlertRow = async (
  sql: Sql,
  { merchantId, alertId }: { merchantId: string; alertId: string },
): Promise<BudgetAlertRow | null> => (await sql.query(find, [alertId, merchantId]))[0] ?? null;

const insert = statement<{ id: string }>(
  "insert_budget_alert",
  `INSERT INTO billing_budget_alert (id, merchant_id, name, currency, amount, percent, sends_mail, sends_webhook, created_at)
   VALUES ($1, $2, $3, $4, $5::bigint, $6::int, $7::boolean, $8::boolean, $9::timestamptz)
   ON CONFLICT ON CONSTRAINT billing_budget_alert_once DO NOTHING RETURNING id`,
);

/** @returns false if the merchant already has an alert with this threshold. */
export const insertBudgetAlert = async (sql: Sql, row: BudgetAlertRow): Promise<boolean> => {
  const { id, merchantId, name, currency, amount, percent, sendsMail, sendsWebhook, createdAt } = row;
  const values = [id, merchantId, name, currency, amount, percent, sendsMail, sendsWebhook, createdAt];
  return (await sql.query(insert, values)).length > 0;
};

const update = statement<{ id: string }>(
  "update_budget_alert",
  `UPDATE billing_budget_alert a SET name = $3, currency = $4, amount = $5::bigint, percent = $6::int,
     sends_mail = $7::boolean, sends_webhook = $8::boolean
    WHERE a.id = $1 AND a.merchant_id = $2 AND NOT EXISTS (
      SELECT FROM billing_budget_alert o WHERE o.merchant_id = $2 AND o.id <> $1 AND o.currency = $4
         AND o.amount = $5::bigint AND o.percent IS NOT DISTINCT FROM $6::int)
   RETURNING a.id`,
);

/**
 * Call it in a transaction that has locked the merchant's check.
 * @returns false if another alert has this threshold, or if the merchant has no such alert.
 */
export const updateBudgetAlertRow = async (sql: Sql, row: Omit<BudgetAlertRow, "createdAt">): Promise<boolean> => {
  const { id, merchantId, name, currency, amount, percent, sendsMail, sendsWebhook } = row;
  const values = [id, merchantId, name, currency, amount, percent, sendsMail, sendsWebhook];
  return (await sql.query(update, values)).length > 0;
};

const remove = statement<BudgetAlertRow>(
  "delete_budget_alert",
  `DELETE FROM billing_budget_alert a WHERE a.id = $1 AND a.merchant_id = $2 RETURNING ${alertColumns}`,
);

/** @returns the deleted alert; null if there was none. */
export const deleteBudgetAlertRow = async (
  sql: Sql,
  { merchantId, alertId }: { merchantId: string; alertId: string },
): Promise<BudgetAlertRow | null> => (await sql.query(remove, [alertId, merchantId]))[0] ?? null;
