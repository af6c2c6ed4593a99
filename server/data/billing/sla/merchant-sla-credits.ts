import { type Sql, statement } from "../../client.ts";

/** What a merchant gets back for a component and month. `exact`: decimal text, in minor units. */
export type MerchantSlaCredit = {
  title: string;
  month: Date;
  /** percent */
  uptime: string;
  currency: string;
  exact: string;
  /** the invoice with the credit; null: it isn't on an invoice yet */
  invoiceId: string | null;
  number: string | null;
};

const list = statement<MerchantSlaCredit>(
  "list_sla_credits_of_merchant",
  `SELECT f.title, c.month::timestamp AT TIME ZONE 'UTC' AS month, f.uptime::text AS uptime, c.currency,
          sum(c.exact)::text AS exact, c.invoice_id AS "invoiceId", i.number
     FROM billing_subscription s
     JOIN billing_sla_credit c ON c.subscription_id = s.id
     JOIN billing_sla_figure f ON f.month = c.month AND f.component = c.component
     LEFT JOIN billing_invoice i ON i.id = c.invoice_id
    WHERE s.merchant_id = $1
    GROUP BY c.month, c.component, f.title, f.uptime, c.currency, c.invoice_id, i.number
    ORDER BY c.month DESC, c.component, c.currency, c.invoice_id
    LIMIT $2`,
);

/** The newest months first. */
export const listSlaCreditsOfMerchant = (
  sql: Sql,
  { merchantId, limit }: { merchantId: string; limit: number },
): Promise<MerchantSlaCredit[]> => sql.query(list, [merchantId, limit]);
