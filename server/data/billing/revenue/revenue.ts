import { type Sql, statement } from "../../client.ts";

const add = statement<never>(
  "add_billing_revenue",
  `INSERT INTO billing_revenue AS r (month, currency, plan_id, item, net)
   SELECT date_trunc('month', $2::timestamptz AT TIME ZONE 'UTC')::date, i.currency, coalesce(l.plan_id, i.plan_id),
          coalesce(l.meter, l.kind), sum(l.net) * $3::int
     FROM billing_invoice i JOIN billing_invoice_line l ON l.invoice_id = i.id
    WHERE i.id = $1 GROUP BY 1, 2, 3, 4 ORDER BY 3, 4
   ON CONFLICT (month, currency, plan_id, item) DO UPDATE SET net = r.net + excluded.net`,
);

type Revenue = {
  invoiceId: string;
  /** a time in the month to which the revenue belongs */
  at: Date;
  /** -1 for a credit note or a void invoice */
  sign: 1 | -1;
};

/**
 * Adds the lines of an invoice to the sums of revenue. The rows stay locked until the transaction ends. If the
 * transaction assigns an invoice number, it does so before this call, so that all transactions lock in the same order.
 */
export const addRevenue = async (sql: Sql, { invoiceId, at, sign }: Revenue): Promise<void> => {
  await sql.query(add, [invoiceId, at, sign]);
};

/** Amounts are decimal texts in minor units. */
export type RevenueRow = { month: string; currency: string; planId: string; item: string; net: string };

const list = statement<RevenueRow>(
  "list_billing_revenue",
  `SELECT month::text, currency, plan_id AS "planId", item, net::text FROM billing_revenue
    WHERE month >= $1::date AND net <> 0 ORDER BY month, currency, plan_id, item`,
);

/** The revenue of `fromMonth` and all later months. */
export const listRevenue = (sql: Sql, fromMonth: string): Promise<RevenueRow[]> => sql.query(list, [fromMonth]);

export type OutstandingRow = {
  currency: string;
  due: string;
  invoices: number;
  overdue: string;
  overdueInvoices: number;
};

const outstanding = statement<OutstandingRow>(
  "sum_outstanding_invoices",
  `SELECT currency, sum(amount_due)::text AS due, count(*)::int AS invoices,
          coalesce(sum(amount_due) FILTER (WHERE due_at < $1::timestamptz), 0)::text AS overdue,
          (count(*) FILTER (WHERE due_at < $1::timestamptz))::int AS "overdueInvoices"
     FROM billing_invoice WHERE status = 'open' GROUP BY currency ORDER BY currency`,
);

/** The totals of the open invoices: one row for each currency, however many invoices there are. */
export const sumOutstanding = (sql: Sql, at: Date): Promise<OutstandingRow[]> => sql.query(outstanding, [at]);
