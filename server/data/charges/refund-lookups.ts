import { type Sql, statement } from "../client.ts";
import { inDue, spanOf } from "../dated.ts";
import { hasEnded } from "../lease.ts";
import { type RefundRow, refundColumns } from "./refunds.ts";

const postpone = statement<never>(
  "postpone_refund",
  `UPDATE refund SET refund_ref = coalesce($2, refund_ref), lease_until = NULL, next_lookup_at = $3::timestamptz, lookups = lookups + 1
   WHERE id = $1 AND status = 'pending' AND created_at BETWEEN $4::timestamptz AND $5::timestamptz`,
);

/** The refund is in progress, or its outcome is unknown. It is looked up again later. */
export const postponeRefund = async (
  sql: Sql,
  refund: { id: string; refundRef: string | null; nextLookupAt: Date },
): Promise<void> => {
  await sql.query(postpone, [refund.id, refund.refundRef, refund.nextLookupAt, ...spanOf(refund.id)]);
};

const takeLease = statement<RefundRow>(
  "take_refund_lease",
  `UPDATE refund r SET lease_until = $3::timestamptz, next_lookup_at = greatest(r.next_lookup_at, $6::timestamptz)
   WHERE r.id = $1 AND r.status = 'pending' AND ${hasEnded("r.lease_until", "$2", "$3")}
     AND r.created_at BETWEEN $4::timestamptz AND $5::timestamptz
   RETURNING ${refundColumns}`,
);

/**
 * At most one caller continues a refund whose process has crashed, or whose outcome is unknown.
 * @param input.nextLookupAt the reconciler doesn't look the refund up before this time.
 */
export const takeRefundLease = async (
  sql: Sql,
  input: { id: string; now: Date; leaseUntil: Date; nextLookupAt: Date },
): Promise<RefundRow | null> => {
  const { id, now, leaseUntil, nextLookupAt } = input;
  return (await sql.query(takeLease, [id, now, leaseUntil, ...spanOf(id), nextLookupAt]))[0] ?? null;
};

const claimDue = statement<RefundRow>(
  "claim_due_refunds",
  `WITH due AS (
     SELECT id FROM refund WHERE next_lookup_at <= $1::timestamptz
     ORDER BY next_lookup_at LIMIT $2::int FOR UPDATE SKIP LOCKED
   )
   UPDATE refund r SET next_lookup_at = $3::timestamptz, lease_until = $3::timestamptz
   WHERE ${inDue("r")}
   RETURNING ${refundColumns}`,
);

/**
 * Claims due refunds, each for one caller until `leaseUntil`, even if the merchant repeats its request. Otherwise, the
 * look-up for the repeated request could miss a refund that this caller is sending.
 */
export const claimDueRefunds = (
  sql: Sql,
  input: { now: Date; limit: number; leaseUntil: Date },
): Promise<RefundRow[]> => sql.query(claimDue, [input.now, input.limit, input.leaseUntil]);

export type GivenRefund = RefundRow & { givenAt: Date };

const claimChecks = statement<GivenRefund>(
  "claim_due_refund_checks",
  `WITH due AS (
     SELECT id FROM refund WHERE next_check_at <= $1::timestamptz
     ORDER BY next_check_at LIMIT $2::int FOR UPDATE SKIP LOCKED
   )
   UPDATE refund r SET next_check_at = $3::timestamptz WHERE ${inDue("r")}
   RETURNING ${refundColumns}, r.given_at AS "givenAt"`,
);

/** Claims succeeded refunds that are due for another look-up, each for one caller until `leaseUntil`. */
export const claimDueRefundChecks = (
  sql: Sql,
  input: { now: Date; limit: number; leaseUntil: Date },
): Promise<GivenRefund[]> => sql.query(claimChecks, [input.now, input.limit, input.leaseUntil]);

const scheduleCheck = statement<never>(
  "schedule_refund_check",
  `UPDATE refund SET next_check_at = $2::timestamptz
    WHERE id = $1 AND status = 'succeeded' AND created_at BETWEEN $3::timestamptz AND $4::timestamptz`,
);

/** @param at null: the refund is not looked up again. */
export const scheduleRefundCheck = async (sql: Sql, id: string, at: Date | null): Promise<void> => {
  await sql.query(scheduleCheck, [id, at, ...spanOf(id)]);
};
