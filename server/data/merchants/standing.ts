import type { MerchantStanding } from "../../kernel/merchant-standing.ts";
import { type Sql, statement } from "../client.ts";

/** SQL: whether all subscriptions of a row of `merchant` have ended; null if it never had one. */
export const hasEndedPlan = (m: string): string =>
  `(SELECT bool_and(b.ended_at IS NOT NULL) FROM billing_subscription b WHERE b.merchant_id = ${m}.id)`;

/** The standing of a row of `merchant`. @param m name of the table in the statement. */
export const standingOf = (m: string): string =>
  `CASE WHEN ${m}.suspended_at IS NOT NULL THEN 'suspended' WHEN ${m}.review <> 'approved' THEN ${m}.review::text
        WHEN ${m}.billing_suspended_at IS NOT NULL THEN 'unpaid' WHEN ${hasEndedPlan(m)} THEN 'no_plan'
        WHEN NOT ${m}.charges_enabled THEN 'not_connected' ELSE 'active' END`;

/** Whether mandates may name the merchant as a payee. Its account at the processor may still be incomplete. */
export const isPayable = (m: string): string => `${m}.suspended_at IS NULL AND ${m}.review = 'approved'`;

const find = statement<{ standing: MerchantStanding }>(
  "find_merchant_standing",
  `SELECT ${standingOf("m")} AS standing FROM merchant m WHERE m.id = $1`,
);

/** An unknown merchant is `active`: it has no charges. */
export const findMerchantStanding = async (sql: Sql, id: string): Promise<MerchantStanding> =>
  (await sql.query(find, [id]))[0]?.standing ?? "active";
