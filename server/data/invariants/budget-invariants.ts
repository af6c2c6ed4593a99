import { holding, using } from "../charges/charges.ts";
import { type Invariant, invariant } from "./invariant.ts";

/**
 * A reservation gets its time before it waits for the mandate's lock, and a release gets its time before its commit. So
 * if the times of a reservation and a release differ by less than this interval, the two may have been written in the
 * opposite order. None of our transactions lasts longer.
 */
const overlap = "interval '30 seconds'";

/**
 * The effect of each charge and refund on a budget, with its time. A release counts from the earliest time at which it
 * may have been written. If a refund fails after it restored its amount, the amount counts as used again and may exceed
 * a limit, although no payment was permitted then. So this increase isn't included here.
 */
const steps = (ofCharge: string, ofRefund: string, columns: string) => `
  SELECT ${columns}, c.created_at AS at, c.amount, 1 AS payments FROM charge c ${ofCharge}
  UNION ALL
  SELECT ${columns}, c.final_at - ${overlap}, CASE WHEN c.state IN ${using} THEN c.amount_captured ELSE 0 END - c.amount,
    CASE WHEN c.state IN ${using} THEN 0 ELSE -1 END FROM charge c ${ofCharge} WHERE c.state NOT IN ${holding}
  UNION ALL
  SELECT ${columns}, r.given_at - ${overlap}, -r.amount, 0 FROM refund r JOIN mandate m ON m.id = r.mandate_id
    JOIN charge c ON c.id = r.charge_id ${ofRefund} WHERE r.given_at IS NOT NULL AND m.refund_policy = 'restore'`;

/** The maximum of used plus held over all instants. */
const highest = (columns: string, from: string) => `
  SELECT ${columns}, max(amount) AS amount, max(payments) AS payments FROM (
    SELECT ${columns}, sum(amount) OVER so_far AS amount, sum(payments) OVER so_far AS payments FROM (${from}) step
    WINDOW so_far AS (PARTITION BY ${columns} ORDER BY at, amount ROWS UNBOUNDED PRECEDING)
  ) instant GROUP BY ${columns}`;

const periods = ", jsonb_to_recordset(c.periods) AS p (limit_key text, starts_at timestamptz)";
const periodColumns = "mandate_id, limit_key, starts_at";

/** The counters contain the current state. These queries compute the whole history from the charges only. */
export const budgetInvariants: readonly Invariant[] = [
  invariant(
    "lifetime_caps_ever",
    "used plus held never exceeded a lifetime limit, unless the payer lowered it later",
    `SELECT m.id AS subject, format('once %s in %s, limits %s in %s', h.amount, h.payments, m.max_total_amount, m.max_payments) AS problem
     FROM mandate m JOIN (${highest("mandate_id", steps("", "", "c.mandate_id"))}) h ON h.mandate_id = m.id
     WHERE m.version = 1 AND (h.amount > m.max_total_amount OR h.payments > m.max_payments)`,
  ),
  invariant(
    "period_caps_ever",
    "used plus held never exceeded a period's limit, unless the payer lowered it later",
    `SELECT m.id || ' ' || h.limit_key || ' ' || h.starts_at AS subject,
       format('once %s in %s, limits %s in %s', h.amount, h.payments, l.max_amount, l.max_payments) AS problem
     FROM mandate m JOIN (${highest(periodColumns, steps(periods, periods, `c.${periodColumns}`))}) h ON h.mandate_id = m.id,
       jsonb_to_recordset(m.periodic_limits) AS l (period text, alignment text, max_amount bigint, max_payments bigint)
     WHERE m.version = 1 AND h.limit_key = l.period || ':' || l.alignment
       AND (h.amount > l.max_amount OR h.payments > l.max_payments)`,
  ),
];
