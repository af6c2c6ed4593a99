import { findCouponRow } from "../../data/billing/catalogue/coupons.ts";
import type { Sql } from "../../data/client.ts";
import { type CouponDefinition, type CouponTerms, toCouponTerms } from "../rules/plans/coupon.wire.ts";

/**
 * The terms of a coupon; null if the catalogue has no such code.
 * @param version null: the newest version, which applies to new uses of the coupon
 */
export const findCoupon = async (
  sql: Sql,
  { code, version = null }: { code: string; version?: number | null },
): Promise<(CouponTerms & { version: number }) | null> => {
  const row = await findCouponRow(sql, code, version);
  if (!row) return null;
  return { ...toCouponTerms(row.code, row.definition as CouponDefinition), version: row.version };
};
