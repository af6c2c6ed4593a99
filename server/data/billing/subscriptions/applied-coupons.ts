import { type Sql, statement } from "../../client.ts";

export type AppliedCouponRow = { code: string; version: number };

const listCoupons = statement<AppliedCouponRow>(
  "list_applied_coupons",
  `SELECT code, version FROM billing_applied_coupon
    WHERE subscription_id = $1 AND applied_at < $3::timestamptz AND (ends_at IS NULL OR ends_at > $2::timestamptz)
    ORDER BY applied_at, id`,
);

/** The coupons of a period, in the order in which they were applied. */
export const listAppliedCoupons = (
  sql: Sql,
  subscriptionId: string,
  { from, to }: { from: Date; to: Date },
): Promise<AppliedCouponRow[]> => sql.query(listCoupons, [subscriptionId, from, to]);
