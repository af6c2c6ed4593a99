import { type Sql, statement } from "../client.ts";
import { isPayable } from "./standing.ts";

/**
 * The name, logo and color that payers see. `logoHash` and `accentColor` are null while the merchant isn't approved or
 * is suspended.
 */
export type MerchantBrandRow = { id: string; name: string; logoHash: string | null; accentColor: string | null };

const brands = statement<MerchantBrandRow>(
  "list_merchant_brands",
  `SELECT m.id, m.display_name AS name,
          CASE WHEN ${isPayable("m")} THEN (SELECT l.hash FROM merchant_logo l WHERE l.merchant_id = m.id) END AS "logoHash",
          CASE WHEN ${isPayable("m")} THEN m.accent_color END AS "accentColor"
     FROM merchant m WHERE m.id = ANY ($1::text[])`,
);

/** By id; unknown ids are left out. */
export const listMerchantBrands = async (sql: Sql, ids: readonly string[]): Promise<Map<string, MerchantBrandRow>> => {
  if (ids.length === 0) return new Map();
  return new Map((await sql.query(brands, [ids])).map((row) => [row.id, row]));
};
