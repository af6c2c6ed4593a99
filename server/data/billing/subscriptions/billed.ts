import { type Sql, statement } from "../../client.ts";
import { isNotReplaced } from "./replaced-invoices.ts";

/**
 * The price and quantity of a meter in a period, over all final invoices; `meter` null: the flat fee. `exact` is a
 * decimal.
 */
export type BilledRow = { periodFrom: Date; currency: string; meter: string | null; exact: string; quantity: string };

const list = statement<BilledRow>(
  "list_billed_meters",
  `SELECT l.period_from AS "periodFrom", i.currency, l.meter, sum(l.priced_exact)::text AS exact,
          sum(l.quantity)::text AS quantity
     FROM billing_invoice i JOIN billing_invoice_line l ON l.invoice_id = i.id
    WHERE i.subscription_id = $1 AND i.type = 'invoice' AND i.status <> 'draft' AND l.kind IN ('flat', 'usage', 'late')
      AND l.period_from = ANY ($2::timestamptz[])
      AND l.replaces IS NULL AND ${isNotReplaced}
    GROUP BY 1, 2, 3`,
);

/**
 * By period, currency and meter. Credit notes and voids don't reduce these figures: otherwise, a late event would bill
 * again what an operator canceled. A void invoice doesn't count if another one replaced it.
 */
export const listBilled = (sql: Sql, subscriptionId: string, periodsFrom: readonly Date[]): Promise<BilledRow[]> =>
  sql.query(list, [subscriptionId, periodsFrom.map((from) => from.toISOString())]);
