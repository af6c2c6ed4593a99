import { type Sql, statement } from "../../client.ts";
import { type BillingPeriodRow, periodColumns } from "../subscriptions/billing-periods.ts";

/** A final invoice of a subscription in its own currency, and the period that it bills. */
export type LastInvoiceRow = BillingPeriodRow & { invoiceId: string; invoiceNumber: string; total: bigint };

const find = statement<LastInvoiceRow>(
  "find_last_invoice_of_subscription",
  `SELECT ${periodColumns}, i.id AS "invoiceId", i.number AS "invoiceNumber", i.total
     FROM billing_period p JOIN billing_invoice i ON i.merchant_id = $2 AND i.subscription_id = p.subscription_id
       AND i.type = 'invoice' AND i.status IN ('open', 'paid', 'uncollectible') AND i.currency = p.currency
       AND i.period_from >= p."from" AND i.period_to = p."to"
    WHERE p.subscription_id = $1 AND p.kind = 'regular' AND p.state = 'final'
    ORDER BY p."from" DESC, i.created_at DESC LIMIT 1`,
);

/** Null if the subscription has no final invoice. */
export const findLastInvoice = async (
  sql: Sql,
  { subscriptionId, merchantId }: { subscriptionId: string; merchantId: string },
): Promise<LastInvoiceRow | null> => (await sql.query(find, [subscriptionId, merchantId]))[0] ?? null;
