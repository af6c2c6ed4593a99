import { type Sql, statement } from "../../client.ts";
import { type BillingPeriodRow, periodColumns } from "../subscriptions/billing-periods.ts";

/** A final invoice of a subscription, and the period that it bills. */
export type LastInvoiceRow = BillingPeriodRow & {
  invoiceId: string;
  invoiceNumber: string;
  invoiceCurrency: string;
  total: bigint;
};

const list = statement<LastInvoiceRow>(
  "list_last_invoices_of_subscription",
  `SELECT * FROM (
     SELECT DISTINCT ON (i.currency) ${periodColumns}, i.id AS "invoiceId", i.number AS "invoiceNumber",
            i.currency AS "invoiceCurrency", i.total
       FROM billing_period p JOIN billing_invoice i ON i.merchant_id = $2 AND i.subscription_id = p.subscription_id
         AND i.type = 'invoice' AND i.status IN ('open', 'paid', 'uncollectible')
         AND i.period_from >= p."from" AND i.period_to = p."to"
      WHERE p.subscription_id = $1 AND p.kind = 'regular' AND p.state = 'final'
      ORDER BY i.currency, p."from" DESC, i.created_at DESC) l
    ORDER BY l."invoiceCurrency" <> l.currency, l."invoiceCurrency"`,
);

/** A subscription's last final invoice in each currency. The invoice in the currency of its fees comes first. */
export const listLastInvoices = (
  sql: Sql,
  { subscriptionId, merchantId }: { subscriptionId: string; merchantId: string },
): Promise<LastInvoiceRow[]> => sql.query(list, [subscriptionId, merchantId]);
