import { type Sql, statement } from "../client.ts";
import { isPayable } from "./standing.ts";

/** How a merchant looks to payers. `logoHash` and `accentColor` are null unless an operator approved the merchant. */
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

export type ClientParty = {
  /** the active merchant to which the client belongs; null if there is none */
  merchantId: string | null;
  /** verified domains of the client's entry in the directory */
  domains: string[];
};

const party = statement<ClientParty>(
  "find_client_party",
  `SELECT m.id AS "merchantId",
          ARRAY(SELECT d.domain FROM participant_domain d
                 WHERE d.participant_id = p.id AND d.verified_at IS NOT NULL ORDER BY 1) AS domains
     FROM client c JOIN participant p ON p.id = c.participant_id LEFT JOIN merchant m ON m.id = p.merchant_id
    WHERE c.id = $1 AND p.withdrawn_at IS NULL AND (m.id IS NULL OR (${isPayable("m")}))`,
);

/**
 * Who is behind a client, as the directory verified it. Null for a client of a withdrawn entry or inactive merchant.
 */
export const findClientParty = async (sql: Sql, clientId: string): Promise<ClientParty | null> =>
  (await sql.query(party, [clientId]))[0] ?? null;
