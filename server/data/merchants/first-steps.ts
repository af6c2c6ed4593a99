import { type Sql, statement } from "../client.ts";

/** The steps that are recorded for a merchant. Some records are deleted after a time. */
export type FirstSteps = Readonly<
  Record<"hasApp" | "hasToken" | "hasMandate" | "hasVerified" | "hasCharged" | "hasEndpoint" | "hasWebhook", boolean>
>;

const find = statement<FirstSteps>(
  "find_first_steps",
  `SELECT EXISTS (SELECT 1 FROM client WHERE merchant_id = $1) AS "hasApp",
          EXISTS (SELECT 1 FROM client c JOIN client_key_use u ON u.client_id = c.id WHERE c.merchant_id = $1) AS "hasToken",
          EXISTS (SELECT 1 FROM mandate WHERE payee_merchant_ids @> ARRAY[$1::text]) AS "hasMandate",
          EXISTS (SELECT 1 FROM verification WHERE merchant_id = $1 AND mandate_id IS NOT NULL) AS "hasVerified",
          EXISTS (SELECT 1 FROM charge WHERE merchant_id = $1 AND state::text IN ('authorized', 'succeeded', 'captured',
                              'partially_captured', 'partially_refunded', 'refunded', 'disputed')) AS "hasCharged",
          EXISTS (SELECT 1 FROM webhook_endpoint WHERE owner_id = $1) AS "hasEndpoint",
          EXISTS (SELECT 1 FROM webhook_endpoint WHERE owner_id = $1 AND succeeded_at IS NOT NULL) AS "hasWebhook"`,
);

export const findFirstSteps = async (sql: Sql, merchantId: string): Promise<FirstSteps> => {
  const [row] = await sql.query(find, [merchantId]);
  if (!row) throw new Error("a SELECT without FROM returned no row");
  return row;
};
