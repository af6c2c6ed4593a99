import type { JsonObject } from "../../../kernel/text/json.ts";
import { type Sql, statement } from "../../client.ts";

export type CouponRow = { code: string; version: number; hash: string; definition: JsonObject; appliedAt: Date };

const columns = `code, version, hash, definition, applied_at AS "appliedAt"`;

const findNewest = statement<CouponRow>(
  "find_coupon",
  `SELECT ${columns} FROM billing_coupon_version WHERE code = $1 ORDER BY version DESC LIMIT 1`,
);
const findVersion = statement<CouponRow>(
  "find_coupon_version",
  `SELECT ${columns} FROM billing_coupon_version WHERE code = $1 AND version = $2::int`,
);

/** @param version null: the newest version, which applies to new uses */
export const findCouponRow = async (sql: Sql, code: string, version: number | null): Promise<CouponRow | null> => {
  const rows = version === null ? sql.query(findNewest, [code]) : sql.query(findVersion, [code, version]);
  return (await rows)[0] ?? null;
};
