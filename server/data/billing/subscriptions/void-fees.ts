import { type Sql, statement } from "../../client.ts";
import { isNotReplaced } from "./replaced-invoices.ts";

// A negative usage line isn't a fee here: if its invoice becomes void, another invoice repeats the line.
const isFee = `i.type = 'invoice' AND l.kind = 'usage' AND l.meter = 'successful_charges' AND l.priced_exact > 0 AND l.replaces IS NULL`;

/** SQL: whether line `l` has the fees of charges, and its invoice `i` is void. */
const isVoidFee = `${isFee} AND i.status = 'void' AND ${isNotReplaced}`;

/** SQL: whether the invoice with the fees of a subscription in a period and currency is void. */
export const isFeeVoid = (subscription: string, { currency, from }: { currency: string; from: string }): string =>
  `EXISTS (SELECT FROM billing_invoice i JOIN billing_invoice_line l ON l.invoice_id = i.id
      WHERE i.subscription_id = ${subscription} AND i.currency = ${currency} AND l.period_from = ${from} AND ${isVoidFee})`;

/**
 * SQL: whether line `r` of the final invoice `o` credits fees of line `l`, or charges them again, because of refunds.
 */
const isRefundOfFee = `o.merchant_id = i.merchant_id AND o.currency = i.currency AND o.type = 'invoice'
     AND o.status NOT IN ('draft', 'void') AND o.id <> i.id AND r.kind = 'refund' AND r.meter = l.meter
     AND r.period_from = l.period_from AND r.period_to = l.period_to`;

/** SQL: what final invoices credit of line `l` because of refunds, less the parts that credit notes have reversed. */
const credited = `SELECT round(coalesce(sum(r.priced_exact * CASE WHEN n.amount IS NULL OR r.amount = 0 THEN 1
            ELSE 1 - n.amount / r.amount::numeric END), 0), 12) AS exact
     FROM billing_invoice o JOIN billing_invoice_line r ON r.invoice_id = o.id
     LEFT JOIN LATERAL (SELECT sum(n.amount) AS amount FROM billing_invoice_line n WHERE n.corrects = r.id) n ON true
    WHERE ${isRefundOfFee}`;

/**
 * `from` and `to`: the period of the fees. `exact`: a decimal, negative for a credit. It includes tax if the prices of
 * the fees do.
 */
export type CreditedVoidFee = {
  currency: string;
  planId: string;
  planVersion: number;
  from: Date;
  to: Date;
  exact: string;
};

const list = statement<CreditedVoidFee>(
  "list_credited_void_fees",
  `SELECT i.currency, coalesce(l.plan_id, i.plan_id) AS "planId", coalesce(l.plan_version, i.plan_version) AS "planVersion",
          l.period_from AS "from", l.period_to AS "to", c.exact::text AS exact
     FROM billing_invoice i JOIN billing_invoice_line l ON l.invoice_id = i.id CROSS JOIN LATERAL (${credited}) c
    WHERE i.subscription_id = $1 AND ${isVoidFee} AND c.exact <> 0 ORDER BY l.period_from, i.currency`,
);

/** The fees on a subscription's void invoices, if final invoices' refund lines for these fees don't sum to zero. */
export const listCreditedVoidFees = (sql: Sql, subscriptionId: string): Promise<CreditedVoidFee[]> =>
  sql.query(list, [subscriptionId]);

const listOwners = statement<{ id: string }>(
  "list_subscriptions_to_correct",
  `SELECT DISTINCT i.subscription_id AS id
     FROM billing_invoice x JOIN billing_invoice i ON i.merchant_id = x.merchant_id JOIN billing_invoice_line l ON l.invoice_id = i.id
     JOIN billing_invoice o ON o.merchant_id = x.merchant_id JOIN billing_invoice_line r ON r.invoice_id = o.id
    WHERE x.id = $1 AND ${isFee} AND ${isRefundOfFee} AND (i.id = x.id OR (o.id = x.id AND i.status = 'void' AND ${isNotReplaced}))`,
);

/**
 * The subscriptions that need a correction if this invoice becomes void: the invoice's own subscription, if other
 * invoices credit this invoice's fees, and each subscription with void fees that this invoice credits or charges again.
 */
export const listSubscriptionsToCorrect = async (sql: Sql, invoiceId: string): Promise<string[]> =>
  (await sql.query(listOwners, [invoiceId])).map(({ id }) => id);
