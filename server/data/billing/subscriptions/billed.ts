import { type Sql, statement } from "../../client.ts";

/** What final invoices have priced for a meter in a period; null: the flat fee. `exact` is a decimal. */
export type BilledRow = { periodFrom: Date; currency: string; meter: string | null; exact: string; quantity: string };

const list = statement<BilledRow>(
  "list_billed_meters",
  `SELECT l.period_from AS "periodFrom", i.currency, l.meter, sum(l.priced_exact)::text AS exact,
          sum(l.quantity)::text AS quantity
     FROM billing_invoice i JOIN billing_invoice_line l ON l.invoice_id = i.id
    WHERE i.subscription_id = $1 AND i.type = 'invoice' AND i.status <> 'draft' AND l.kind IN ('flat', 'usage', 'late')
      AND l.period_from = ANY ($2::timestamptz[])
    GROUP BY 1, 2, 3`,
);

/** By period, currency and meter. Credit notes don't change what was priced. */
export const listBilled = (sql: Sql, subscriptionId: string, periodsFrom: readonly Date[]): Promise<BilledRow[]> =>
  sql.query(list, [subscriptionId, periodsFrom.map((from) => from.toISOString())]);
