import { type Sql, statement } from "../../client.ts";
import { alertColumns, type BudgetAlertRow } from "./alerts.ts";

type Reached = { alertId: string; spent: bigint };
type Firings = {
  period: { from: Date; to: Date };
  /** the alerts whose amount was reached, each with the cost of the period in its currency */
  reached: readonly Reached[];
  at: Date;
};

const unfired = `FROM billing_budget_alert a
    WHERE a.merchant_id = $1 AND NOT EXISTS (
      SELECT FROM billing_budget_firing f WHERE f.alert_id = a.id AND f.period_from = $2::timestamptz)`;

const lockUnfired = statement<BudgetAlertRow>(
  "lock_unfired_budget_alerts",
  `SELECT ${alertColumns} ${unfired}
    ORDER BY a.id FOR NO KEY UPDATE OF a`,
);

/** Locks the alerts that haven't fired in the period that begins at this time. */
export const lockUnfiredAlerts = (sql: Sql, merchantId: string, periodFrom: Date): Promise<BudgetAlertRow[]> =>
  sql.query(lockUnfired, [merchantId, periodFrom]);

const countUnfired = statement<{ count: bigint }>("count_unfired_budget_alerts", `SELECT count(*) AS count ${unfired}`);

export const countUnfiredAlerts = async (sql: Sql, merchantId: string, periodFrom: Date): Promise<number> =>
  Number((await sql.query(countUnfired, [merchantId, periodFrom]))[0]?.count ?? 0);

const insert = statement<{ alertId: string }>(
  "insert_budget_firings",
  `INSERT INTO billing_budget_firing (alert_id, period_from, period_to, spent, fired_at)
   SELECT r.alert_id, $3::timestamptz, $4::timestamptz, r.spent, $5::timestamptz
     FROM unnest($1::text[], $2::bigint[]) AS r (alert_id, spent) ORDER BY r.alert_id
   ON CONFLICT (alert_id, period_from) DO NOTHING RETURNING alert_id AS "alertId"`,
);

/** @returns the alerts that fire now: each of them fires at most once in a period. */
export const insertFirings = async (sql: Sql, { period, reached, at }: Firings): Promise<Set<string>> => {
  if (reached.length === 0) return new Set<string>();
  const values = [reached.map(({ alertId }) => alertId), reached.map(({ spent }) => String(spent))];
  const rows = await sql.query(insert, [...values, period.from, period.to, at]);
  return new Set(rows.map(({ alertId }) => alertId));
};
