import { type Sql, statement } from "../../client.ts";
import { isSupplyKept } from "../subscriptions/supplies.ts";

type CreditColumns = {
  component: string;
  currency: string;
  meter: string;
  periodFrom: Date;
  /** a decimal */
  percent: string;
  /** exact amounts in minor units, as decimals */
  fee: string;
  exact: string;
};

const insert = statement<never>(
  "insert_sla_credits",
  `INSERT INTO billing_sla_credit (subscription_id, month, component, currency, meter, period_from, number, percent, fee, exact, created_at)
   SELECT $1, $2::date, c.component, c.currency, c.meter, c.period_from, 1, c.percent, c.fee, c.exact, $3::timestamptz
     FROM unnest($4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::numeric[], $9::numeric[], $10::numeric[])
       AS c (component, currency, meter, period_from, percent, fee, exact)
   ON CONFLICT DO NOTHING`,
);

type NewCredits = { subscriptionId: string; month: Date; at: Date; credits: readonly CreditColumns[] };

const valuesOf = ({ subscriptionId, month, at, credits }: NewCredits) => [
  subscriptionId,
  month,
  at,
  credits.map(({ component }) => component),
  credits.map(({ currency }) => currency),
  credits.map(({ meter }) => meter),
  credits.map(({ periodFrom }) => periodFrom.toISOString()),
  credits.map(({ percent }) => percent),
  credits.map(({ fee }) => fee),
  credits.map(({ exact }) => exact),
];

const insertFurther = statement<never>(
  "insert_further_sla_credits",
  `INSERT INTO billing_sla_credit (subscription_id, month, component, currency, meter, period_from, number, percent, fee, exact, created_at)
   SELECT $1, $2::date, c.component, c.currency, c.meter, c.period_from,
          1 + greatest(1, (SELECT max(b.number) FROM billing_sla_credit b
             WHERE b.subscription_id = $1 AND b.month = $2::date AND b.component = c.component AND b.currency = c.currency
               AND b.meter = c.meter AND b.period_from = c.period_from)),
          c.percent, c.fee, c.exact, $3::timestamptz
     FROM unnest($4::text[], $5::text[], $6::text[], $7::timestamptz[], $8::numeric[], $9::numeric[], $10::numeric[])
       AS c (component, currency, meter, period_from, percent, fee, exact)`,
);

/** Call it in a transaction that has locked the subscription. Credits that are already stored are not added again. */
export const insertSlaCredits = async (sql: Sql, credits: NewCredits): Promise<void> => {
  await sql.query(insert, valuesOf(credits));
};

/**
 * Adds further credits to a month whose credits are already computed (docs/spec/billing.md, SLA credits). Call it in a
 * transaction that has locked the subscription.
 */
export const insertFurtherSlaCredits = async (sql: Sql, credits: NewCredits): Promise<void> => {
  await sql.query(insertFurther, valuesOf(credits));
};

/** A credit for a component and month, with the tax of the original supply. */
export type WaitingCredit = {
  component: string;
  title: string;
  month: Date;
  uptime: string;
  page: string;
  currency: string;
  exact: string;
  /** null: no final invoice has a line of the supply's period */
  taxCategory: string | null;
  /** in percent; null like `taxCategory` */
  taxRate: string | null;
  /** null like `taxCategory` */
  taxBehaviour: "exclusive" | "inclusive" | null;
};

// All lines of a period have the same tax, except late usage that is the first line of its period. The meter's own usage
// comes first. If the period had none when it was billed, another line of the period shows the tax.
const listWaiting = statement<WaitingCredit>(
  "list_waiting_sla_credits",
  `SELECT c.component, f.title, c.month::timestamp AT TIME ZONE 'UTC' AS month, f.uptime::text AS uptime, f.page, c.currency,
          sum(c.exact)::text AS exact, t.tax_category AS "taxCategory", t.tax_rate::text AS "taxRate",
          t.tax_behaviour AS "taxBehaviour"
     FROM billing_sla_credit c
     JOIN billing_sla_figure f ON f.month = c.month AND f.component = c.component
     LEFT JOIN LATERAL (
       SELECT l.tax_category, l.tax_rate, i.tax_behaviour FROM billing_invoice i JOIN billing_invoice_line l ON l.invoice_id = i.id
        WHERE i.subscription_id = c.subscription_id AND i.currency = c.currency AND i.type = 'invoice'
          AND i.status NOT IN ('draft', 'void') AND l.kind IN ('flat', 'usage', 'true_up', 'late') AND l.replaces IS NULL
          AND l.period_from = c.period_from
        ORDER BY l.kind = 'usage' AND l.meter = c.meter DESC, l.kind = 'late', i.issued_at, l.position
        LIMIT 1) t ON true
    WHERE c.subscription_id = $1 AND c.invoice_id IS NULL AND ${isSupplyKept}
    GROUP BY c.component, f.title, c.month, f.uptime, f.page, c.currency, t.tax_category, t.tax_rate, t.tax_behaviour
    ORDER BY c.month, c.component, t.tax_rate, t.tax_behaviour`,
);

/** The credits that no final invoice contains yet, in all currencies. Voided and fully credited supplies get none. */
export const listWaitingSlaCredits = (sql: Sql, subscriptionId: string): Promise<WaitingCredit[]> =>
  sql.query(listWaiting, [subscriptionId]);

const markInvoiced = statement<never>(
  "mark_sla_credits_invoiced",
  `UPDATE billing_sla_credit c SET invoice_id = i.id FROM billing_invoice i
    WHERE i.id = $1 AND c.subscription_id = i.subscription_id AND c.currency = i.currency AND c.invoice_id IS NULL AND ${isSupplyKept}`,
);

/** Call it in the transaction that locked the subscription and made the invoice final. */
export const markSlaCreditsInvoiced = async (sql: Sql, invoiceId: string): Promise<void> => {
  await sql.query(markInvoiced, [invoiceId]);
};

const release = statement<{ id: string }>(
  "release_sla_credits",
  "UPDATE billing_sla_credit SET invoice_id = NULL WHERE invoice_id = $1 RETURNING subscription_id AS id",
);

/** Releases the credits of a void invoice, so that the next invoice contains them. @returns whether there are any. */
export const releaseSlaCredits = async (sql: Sql, invoiceId: string): Promise<boolean> =>
  (await sql.query(release, [invoiceId])).length > 0;
