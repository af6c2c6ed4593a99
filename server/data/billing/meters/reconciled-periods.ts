import { type Sql, statement } from "../../client.ts";
import type { MeteredPeriod } from "./metered-events.ts";
import { compareOfMerchant } from "./reconciliation.ts";

const dayMs = 24 * 3600 * 1000;
const isDifferent = "(r.metered_count <> r.source_count OR r.metered_quantity <> r.source_quantity)";

/** SQL: whether all days from `from` to `to`, both at the start of a UTC day, were compared without a difference. */
const areEqual = (merchantId: string, from: string, to: string) => `(
     (SELECT count(*) * interval '24 hours' FROM meter_reconciliation_day d WHERE d.day >= ${from} AND d.day < ${to}) = ${to} - ${from}
     AND NOT EXISTS (SELECT FROM meter_reconciliation r
       WHERE r.merchant_id = ${merchantId} AND r.day >= ${from} AND r.day < ${to} AND ${isDifferent}))`;

/** The UTC days that a period touches. */
const daysOf = ({ from, to }: MeteredPeriod): MeteredPeriod => ({
  from: new Date(Math.floor(from.getTime() / dayMs) * dayMs),
  to: new Date(Math.ceil(to.getTime() / dayMs) * dayMs),
});

const check = statement<{ isReconciled: boolean }>(
  "check_reconciled_days",
  `SELECT ${areEqual("$3", "$1::timestamptz", "$2::timestamptz")} AS "isReconciled"`,
);

/**
 * Compares a merchant's meters with the events of a period again, day by day, and stores the results. Call it in the
 * transaction that uses the meters.
 * @returns whether every meter equals its source on each day. Charges aren't compared again: their results come from
 *   the daily reconciliation, which also determines whether all days were compared.
 */
export const isReconciled = async (
  sql: Sql,
  { merchantId, period }: { merchantId: string; period: MeteredPeriod },
): Promise<boolean> => {
  const days = daysOf(period);
  await compareOfMerchant(sql, { merchantId, days });
  return (await sql.query(check, [days.from, days.to, merchantId]))[0]?.isReconciled ?? false;
};

// The days whose usage is on the invoices of period `p`. A late period, which follows the end of a subscription, bills
// the usage of the 36 days before the late period starts.
const isLate = "p.kind = 'late'";
const usedFrom = `date_trunc('day', CASE WHEN ${isLate} THEN p."from" - interval '36 days' ELSE p."from" END, 'UTC')`;
const usedTo = `date_trunc('day', CASE WHEN ${isLate} THEN p."from" ELSE p."to" END + interval '24 hours' - interval '1 millisecond', 'UTC')`;

// The oldest sources are deleted after 13 months.
const findDays = statement<{ day: Date; isMissing: boolean }>(
  "find_days_to_reconcile",
  `WITH bounds AS (
     SELECT (SELECT max(day) + interval '24 hours' FROM meter_reconciliation_day) AS next,
            (SELECT min(greatest(${usedFrom}, $1::timestamptz - 390 * interval '24 hours')) FROM billing_period p WHERE p.due_at IS NOT NULL) AS used
   )
   SELECT d.day, true AS "isMissing" FROM bounds,
          generate_series(least(coalesce(next, $1::timestamptz - interval '24 hours'), used), $1::timestamptz - interval '24 hours', interval '24 hours') d (day)
    WHERE NOT EXISTS (SELECT FROM meter_reconciliation_day r WHERE r.day = d.day)
   UNION ALL (SELECT DISTINCT r.day, false FROM bounds, meter_reconciliation r
    WHERE r.day >= coalesce(used, next) AND r.day < $1::timestamptz AND ${isDifferent} ORDER BY r.day LIMIT 31)
   ORDER BY 1`,
);

/**
 * The UTC days before `until` that aren't compared yet: the days since the last comparison, and the days that the
 * invoice of a period needs. In addition, at most 31 days with a difference that can delay an invoice: these days are
 * compared again.
 */
export const findDaysToReconcile = (sql: Sql, until: Date): Promise<{ day: Date; isMissing: boolean }[]> =>
  sql.query(findDays, [until]);

const release = statement<{ released: number }>(
  "release_reconciled_periods",
  `WITH released AS (
     UPDATE billing_period SET retry_at = NULL WHERE (subscription_id, kind, "from") IN (
       SELECT p.subscription_id, p.kind, p."from" FROM billing_period p JOIN billing_subscription s ON s.id = p.subscription_id
        WHERE p.due_at IS NOT NULL AND p.hold = 'reconciliation' AND p.retry_at IS NOT NULL AND ${areEqual("s.merchant_id", usedFrom, usedTo)}
        FOR NO KEY UPDATE OF p SKIP LOCKED) RETURNING 1)
   SELECT count(*)::int AS released FROM released`,
);

/**
 * Makes waiting periods due immediately if their usage has been reconciled since. Skips periods that another
 * transaction has locked.
 * @returns how many periods became due.
 */
export const releaseReconciledPeriods = async (sql: Sql): Promise<number> =>
  (await sql.query(release, []))[0]?.released ?? 0;
