import { type Sql, statement } from "../../client.ts";
import { isNotReplaced } from "../subscriptions/replaced-invoices.ts";
import type { InvoiceLineRow } from "./lines.ts";

/** A line of a void invoice that another invoice must repeat: late usage, refunded fees, or negative usage. */
export type VoidedLineRow = Omit<InvoiceLineRow, "kind" | "net" | "position" | "corrects" | "invoiceAt" | "cutOff"> & {
  kind: "usage" | "late" | "refund";
  invoiceId: string;
  number: string;
  currency: string;
  taxBehaviour: "exclusive" | "inclusive";
  /** the start of the undivided period */
  wholeFrom: Date | null;
};

/**
 * SQL: whether another invoice must repeat line `l` if the line's invoice is void. Late usage, refunded fees and usage
 * lines with a negative amount must be repeated. A refund line without events corrects the credits for fees on void
 * invoices. It is never repeated, because the next invoice computes the correction again from the remaining lines.
 */
const isRepeated = `(l.kind = 'late' OR (l.kind = 'refund' AND l.event_count IS NOT NULL)
     OR (l.kind = 'usage' AND l.amount < 0))`;

const list = statement<VoidedLineRow>(
  "list_voided_credits",
  `SELECT l.id, l.replaces, l.kind, l.meter, l.description, l.plan_id AS "planId", l.plan_version AS "planVersion",
          l.period_from AS "periodFrom", l.period_to AS "periodTo", l.quantity::text, l.exact::text,
          l.priced_exact::text AS "pricedExact", l.amount, l.discount, l.tax_category AS "taxCategory",
          l.tax_rate::text AS "taxRate", l.event_count AS "eventCount", l.event_set_hash AS "eventSetHash",
          l.events_as_of AS "eventsAsOf", l.events_received_from AS "eventsReceivedFrom", l.event_months AS "eventMonths",
          i.id AS "invoiceId", i.number, i.currency, i.tax_behaviour AS "taxBehaviour",
          (SELECT p.whole_from FROM billing_period p WHERE p.subscription_id = i.subscription_id AND p.kind = 'regular'
              AND p."from" <= l.period_from AND p."to" > l.period_from) AS "wholeFrom"
     FROM billing_invoice i JOIN billing_invoice_line l ON l.invoice_id = i.id
    WHERE i.subscription_id = $1 AND i.type = 'invoice' AND i.status = 'void' AND ${isRepeated} AND ${isNotReplaced}
      AND NOT EXISTS (SELECT FROM billing_invoice_line r JOIN billing_invoice o ON o.id = r.invoice_id
            WHERE r.replaces = l.id AND o.status <> 'draft')
    ORDER BY i.number, l.position`,
);

/**
 * The lines of void invoices that must be repeated and that no final invoice has repeated yet. A void invoice that
 * another invoice replaced is left out.
 */
export const listVoidedLines = (sql: Sql, subscriptionId: string): Promise<VoidedLineRow[]> =>
  sql.query(list, [subscriptionId]);

const find = statement<{ id: string }>(
  "find_line_to_repeat",
  `SELECT l.id FROM billing_invoice_line l WHERE l.invoice_id = $1 AND ${isRepeated} LIMIT 1`,
);

/** Whether this invoice has a line that the next invoice must repeat if this invoice becomes void. */
export const hasLinesToRepeat = async (sql: Sql, invoiceId: string): Promise<boolean> =>
  (await sql.query(find, [invoiceId])).length > 0;

const findPeriod = statement<{ from: Date; to: Date }>(
  "find_period_of_voided_line",
  `WITH RECURSIVE chain AS (
     SELECT id, invoice_id, replaces FROM billing_invoice_line WHERE id = $1
     UNION ALL
     SELECT l.id, l.invoice_id, l.replaces FROM chain c JOIN billing_invoice_line l ON l.id = c.replaces)
   SELECT i.period_from AS "from", i.period_to AS "to" FROM chain c JOIN billing_invoice i ON i.id = c.invoice_id
    WHERE c.replaces IS NULL`,
);

/** The period of the invoice on which the line first appeared, before later invoices repeated it. */
export const getPeriodOfFirstLine = async (sql: Sql, lineId: string): Promise<{ from: Date; to: Date }> => {
  const [found] = await sql.query(findPeriod, [lineId]);
  if (!found) throw new Error(`line ${lineId} doesn't exist`);
  return found;
};
