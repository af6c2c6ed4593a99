import { type Sql, statement } from "../../client.ts";

export type AppliedCouponRow = { code: string; version: number };

/** `isFirstPart`: the code didn't apply to an earlier part of the undivided period. */
export type PeriodCouponRow = AppliedCouponRow & { isFirstPart: boolean };

const listCoupons = statement<PeriodCouponRow>(
  "list_applied_coupons",
  `SELECT code, version, $2::timestamptz = $4::timestamptz OR NOT EXISTS (
            SELECT FROM billing_applied_coupon e
             WHERE e.subscription_id = $1 AND e.code = c.code AND e.applied_at < $2::timestamptz
               AND (e.ends_at IS NULL OR e.ends_at > $4::timestamptz)) AS "isFirstPart"
     FROM billing_applied_coupon c
    WHERE subscription_id = $1 AND applied_at < $3::timestamptz AND (ends_at IS NULL OR ends_at > $2::timestamptz)
    ORDER BY applied_at, id`,
);

/** The coupons of a period, in the order in which they were applied. */
export const listAppliedCoupons = (
  sql: Sql,
  subscriptionId: string,
  { from, to, wholeFrom }: { from: Date; to: Date; wholeFrom: Date },
): Promise<PeriodCouponRow[]> => sql.query(listCoupons, [subscriptionId, from, to, wholeFrom]);

/** A coupon of a subscription, as operators see it. */
export type CouponOfSubscription = AppliedCouponRow & { id: string; appliedAt: Date; endsAt: Date | null };

const columns = `id, code, version, applied_at AS "appliedAt", ends_at AS "endsAt"`;

const listAll = statement<CouponOfSubscription>(
  "list_coupons_of_subscription",
  `SELECT ${columns} FROM billing_applied_coupon WHERE subscription_id = $1 ORDER BY applied_at DESC, id LIMIT 100`,
);

/** At most 100, newest first, including ended ones. */
export const listCouponsOf = (sql: Sql, subscriptionId: string): Promise<CouponOfSubscription[]> =>
  sql.query(listAll, [subscriptionId]);

const findCurrent = statement<CouponOfSubscription>(
  "find_current_coupon",
  `SELECT ${columns} FROM billing_applied_coupon WHERE subscription_id = $1 AND code = $2
      AND (ends_at IS NULL OR ends_at > $3::timestamptz)`,
);

/** The use of a code that applies to the current period, even if it ends within this period. */
export const findCurrentCoupon = async (
  sql: Sql,
  { subscriptionId, code, periodFrom }: { subscriptionId: string; code: string; periodFrom: Date },
): Promise<CouponOfSubscription | null> =>
  (await sql.query(findCurrent, [subscriptionId, code, periodFrom]))[0] ?? null;

const insert = statement<never>(
  "insert_applied_coupon",
  `INSERT INTO billing_applied_coupon (id, subscription_id, code, version, applied_at, ends_at)
   VALUES ($1, $2, $3, $4::int, $5::timestamptz, $6::timestamptz)`,
);

/** Inserts a use of a code. A constraint refuses it if it overlaps with another use of the code. */
export const insertAppliedCoupon = async (
  sql: Sql,
  { id, code, version, appliedAt, endsAt, subscriptionId }: CouponOfSubscription & { subscriptionId: string },
): Promise<void> => {
  await sql.query(insert, [id, subscriptionId, code, version, appliedAt, endsAt]);
};

const end = statement<never>(
  "end_applied_coupon",
  "UPDATE billing_applied_coupon SET ends_at = $2::timestamptz WHERE id = $1",
);
const remove = statement<never>("delete_applied_coupon", "DELETE FROM billing_applied_coupon WHERE id = $1");

/** Ends a coupon at this time. A coupon that was applied then or later is deleted, because no period has used it. */
export const endAppliedCoupon = async (sql: Sql, { id, appliedAt }: CouponOfSubscription, at: Date): Promise<void> => {
  await (at > appliedAt ? sql.query(end, [id, at]) : sql.query(remove, [id]));
};
