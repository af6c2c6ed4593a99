import type { LineKind } from "../../../billing/rules/invoice/types.ts";
import { type Sql, statement } from "../../client.ts";

/**
 * The cost of one meter in a period, or of one kind of lines without a meter: after discounts, and before tax unless
 * the prices include tax.
 */
export type SpendRow = {
  currency: string;
  periodFrom: Date;
  kind: LineKind;
  meter: string | null;
  amount: bigint;
};

const list = statement<Omit<SpendRow, "amount"> & { amount: string }>(
  "list_spend_by_meter",
  `SELECT i.currency, i.period_from AS "periodFrom", l.kind, l.meter,
          sum(CASE i.type WHEN 'credit_note' THEN l.discount - l.amount ELSE l.amount - l.discount END)::text AS amount
     FROM billing_invoice i JOIN billing_invoice_line l ON l.invoice_id = i.id
    WHERE i.merchant_id = $1 AND i.created_at >= $2::timestamptz AND i.period_from >= $2::timestamptz AND i.status <> 'void'
    GROUP BY i.currency, i.period_from, l.kind, l.meter
    ORDER BY i.currency, i.period_from, l.kind, l.meter`,
);

/**
 * The costs by currency and period, from invoices and drafts whose period begins at this time or later. The amounts of
 * credit notes are negative.
 */
export const listSpend = async (
  sql: Sql,
  { merchantId, since }: { merchantId: string; since: Date },
): Promise<SpendRow[]> =>
  (await sql.query(list, [merchantId, since])).map((row) => ({ ...row, amount: BigInt(row.amount) }));

const sumParts = statement<{ currency: string; total: string }>(
  "sum_invoices_of_parts",
  `SELECT currency, sum(total)::text AS total FROM billing_invoice
    WHERE subscription_id = $1 AND period_from >= $2::timestamptz AND period_to <= $3::timestamptz AND type = 'invoice' AND status <> 'void'
    GROUP BY currency`,
);

/** The totals of a subscription's invoices for parts of a period, by currency. */
export const sumInvoicesWithin = async (
  sql: Sql,
  subscriptionId: string,
  { from, to }: { from: Date; to: Date },
): Promise<Map<string, bigint>> =>
  new Map(
    (await sql.query(sumParts, [subscriptionId, from, to])).map(({ currency, total }) => [currency, BigInt(total)]),
  );
