import type { JsonObject } from "../../../kernel/text/json.ts";
import { type Sql, statement } from "../../client.ts";

export type TaxRateRow = { key: string; version: number; hash: string; definition: JsonObject; appliedAt: Date };

const findNewest = statement<TaxRateRow>(
  "find_tax_rate",
  `SELECT key, version, hash, definition, applied_at AS "appliedAt" FROM billing_tax_rate_version
    WHERE key = $1 ORDER BY version DESC LIMIT 1`,
);

/** The version that applies, which is the newest. */
export const findTaxRateRow = async (sql: Sql, key: string): Promise<TaxRateRow | null> =>
  (await sql.query(findNewest, [key]))[0] ?? null;
