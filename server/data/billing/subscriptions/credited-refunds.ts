import { isNotReplaced } from "./replaced-invoices.ts";

/** SQL: refunds `r`, their charges `c`, and the period `p` and subscription `s` in which the charge was billed. */
export const billedRefunds = `refund r
     JOIN charge c ON c.id = r.charge_id AND c.merchant_id = r.merchant_id AND c.created_at <= r.created_at
     JOIN billing_subscription s ON s.merchant_id = r.merchant_id
     JOIN billing_period p ON p.subscription_id = s.id AND p.kind = 'regular' AND p."from" <= c.final_at AND c.final_at < p."to"`;

// A refund is updated for the last time when it is settled, or when it fails after it succeeded.
/** SQL: whether refund `r` was given in a period, and hadn't failed by its end. */
export const isGivenWithin = (from: string, to: string): string =>
  `r.given_at >= ${from}::timestamptz AND r.given_at < ${to}::timestamptz
     AND (r.status = 'succeeded' OR (r.status = 'failed' AND r.updated_at >= ${to}::timestamptz))`;

/** SQL: whether refund `r` failed in a period, after it had succeeded. */
export const isFailedWithin = (from: string, to: string): string =>
  `r.status = 'failed' AND r.given_at IS NOT NULL AND r.updated_at >= ${from}::timestamptz AND r.updated_at < ${to}::timestamptz`;

/**
 * SQL: whether the subscription with this id credits the fee of a refunded charge. Subscription `s` billed the charge,
 * and the refund was given or failed at `time`. This time must be in one of the subscription's own periods.
 * Subscription `s` itself credits the fee until the end of its last period, which is 36 days long. Later, the newest
 * subscription at that time credits the fee, so that each refund is credited once (docs/spec/billing.md, The billing
 * run).
 */
export const isCreditedBy = (subscriptionId: string, time: string): string =>
  `EXISTS (SELECT FROM billing_subscription h WHERE h.id = ${subscriptionId}
      AND (h.ended_at IS NULL OR ${time} < h.ended_at + interval '36 days'))
   AND (s.id = ${subscriptionId} OR (s.ended_at + interval '36 days' <= ${time} AND NOT EXISTS (
     SELECT FROM billing_subscription h JOIN billing_subscription n ON n.merchant_id = h.merchant_id
        AND (n.created_at, n.id) > (h.created_at, h.id) JOIN billing_period f ON f.subscription_id = n.id
      WHERE h.id = ${subscriptionId} AND f."from" <= ${time}
        AND (n.ended_at IS NULL OR ${time} < n.ended_at + interval '36 days'))))`;

/**
 * SQL: the invoice that credited the fee of the failed refund `r`, and the line that credits the fee now. If the
 * invoice became void, the credit doesn't end, because a later invoice repeats the line. Selects at most one row.
 */
export const creditOfFailed = `SELECT i.subscription_id AS "creditedBy", i.period_from AS "creditedFrom", i.period_to AS "creditedTo",
          e.priced_exact::text AS "creditedExact", e.amount AS "creditedAmount", e.status = 'void' AS "isVoid",
          (SELECT coalesce(sum(n.amount), 0)::bigint FROM billing_invoice_line n WHERE n.corrects = e.id) AS "reversedAmount"
     FROM billing_invoice i JOIN billing_invoice_line l ON l.invoice_id = i.id
     CROSS JOIN LATERAL (
       WITH RECURSIVE repeated AS (
         SELECT l.id, l.priced_exact, l.amount, i.status, 0 AS times
         UNION ALL
         SELECT n.id, n.priced_exact, n.amount, o.status, e.times + 1 FROM repeated e JOIN billing_invoice_line n ON n.replaces = e.id
           JOIN billing_invoice o ON o.id = n.invoice_id AND o.status <> 'draft')
       SELECT * FROM repeated ORDER BY times DESC LIMIT 1) e
    WHERE i.merchant_id = r.merchant_id AND i.type = 'invoice' AND i.currency = c.currency
      AND i.period_from <= r.given_at AND r.given_at < i.period_to AND i.period_to <= r.updated_at
      AND ${isNotReplaced} AND ${isCreditedBy("i.subscription_id", "r.given_at")}
      AND l.kind = 'refund' AND l.exact < 0 AND l.replaces IS NULL AND l.event_count IS NOT NULL
      AND l.period_from = greatest(p."from", s.trial_ends_at) AND l.period_to = p."to"
    LIMIT 1`;
