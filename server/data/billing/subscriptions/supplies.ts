import { type Sql, statement } from "../../client.ts";
import { isNotReplaced } from "./replaced-invoices.ts";

/**
 * What final invoices charged for a meter in a period, and the part of it that hasn't been voided or credited. Both are
 * decimals, and include tax if the supply's prices do. The prices of later invoices may differ in this.
 */
export type SupplyRow = { periodFrom: Date; currency: string; meter: string; billed: string; kept: string };

const supplied = `FROM billing_invoice i JOIN billing_invoice_line l ON l.invoice_id = i.id
    LEFT JOIN LATERAL (SELECT sum(n.amount) AS amount FROM billing_invoice_line n WHERE n.corrects = l.id) n ON true
   WHERE i.type = 'invoice' AND i.status <> 'draft' AND l.kind IN ('usage', 'late')
     AND ${isNotReplaced}`;
/**
 * SQL: the billed sum. It contains the lines of void invoices, so it leaves out the lines with which later invoices
 * repeat them.
 */
const billed = "coalesce(sum(l.priced_exact) FILTER (WHERE l.replaces IS NULL), 0)";
const kept = `round(coalesce(sum(l.priced_exact * CASE WHEN n.amount IS NULL OR l.amount = 0 THEN 1 ELSE 1 - n.amount / l.amount::numeric END)
   FILTER (WHERE i.status <> 'void'), 0), 12)`;

const list = statement<SupplyRow>(
  "list_kept_supplies",
  `SELECT l.period_from AS "periodFrom", i.currency, l.meter, ${billed}::text AS billed, ${kept}::text AS kept
     ${supplied} AND i.subscription_id = $1 AND l.period_from = ANY ($2::timestamptz[])
    GROUP BY 1, 2, 3`,
);

/** The supplies by period, currency and meter. Drafts have no supplies. */
export const listSupplies = (sql: Sql, subscriptionId: string, periodsFrom: readonly Date[]): Promise<SupplyRow[]> =>
  sql.query(list, [subscriptionId, periodsFrom.map((from) => from.toISOString())]);

/**
 * SQL: whether a part of the supply of the SLA credit `c` is still charged, or the supply's invoice isn't final yet.
 */
export const isSupplyKept = `coalesce((SELECT ${billed} = 0 OR ${kept} > 0 ${supplied}
     AND i.subscription_id = c.subscription_id AND i.currency = c.currency AND l.meter = c.meter
     AND l.period_from = c.period_from), true)`;

/** The tax with which a period was billed in a currency. `rate`: a decimal, in percent. */
export type SupplyTaxRow = {
  periodFrom: Date;
  currency: string;
  category: string;
  rate: string;
  behaviour: "exclusive" | "inclusive";
};

const taxes = statement<SupplyTaxRow>(
  "list_supply_taxes",
  `SELECT DISTINCT ON (l.period_from, i.currency) l.period_from AS "periodFrom", i.currency, l.tax_category AS category,
          l.tax_rate::text AS rate, i.tax_behaviour AS behaviour
     FROM billing_invoice i JOIN billing_invoice_line l ON l.invoice_id = i.id
    WHERE i.subscription_id = $1 AND i.type = 'invoice' AND i.status <> 'draft' AND l.kind IN ('flat', 'usage', 'true_up', 'late')
      AND l.period_from = ANY ($2::timestamptz[]) AND ${isNotReplaced}
    ORDER BY l.period_from, i.currency, l.kind = 'late', i.issued_at, l.position`,
);

/**
 * The tax by period and currency, from the period's own invoice or, if that invoice has no line, from the first line of
 * late usage. Drafts are left out.
 */
export const listSupplyTaxes = (
  sql: Sql,
  subscriptionId: string,
  periodsFrom: readonly Date[],
): Promise<SupplyTaxRow[]> => sql.query(taxes, [subscriptionId, periodsFrom.map((from) => from.toISOString())]);
