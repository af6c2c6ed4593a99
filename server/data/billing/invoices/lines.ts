import type { LineKind } from "../../../billing/rules/invoice/types.ts";
import { type Sql, statement } from "../../client.ts";

/** Exact amounts and rates are decimal texts. */
export type InvoiceLineRow = {
  id: string;
  position: number;
  /** the line of the corrected invoice */
  corrects: string | null;
  /** the line of a void invoice that this line repeats */
  replaces: string | null;
  kind: LineKind;
  meter: string | null;
  description: string;
  planId: string | null;
  planVersion: number | null;
  periodFrom: Date;
  periodTo: Date;
  quantity: string;
  exact: string;
  pricedExact: string;
  amount: bigint;
  discount: bigint;
  net: bigint;
  taxCategory: string;
  taxRate: string;
  /** when the line became due for billing */
  invoiceAt: Date;
  /** the line counts events that happened before this time */
  cutOff: Date;
  eventCount: bigint | null;
  eventSetHash: string | null;
  /** the line counts events that were received before this time */
  eventsAsOf: Date | null;
  /** a line of late events counts those that were received at this time or later */
  eventsReceivedFrom: Date | null;
  /** the months, as RFC 3339 texts; an active mandate counts once in each of them; null: once in the period */
  eventMonths: { from: string; to: string }[] | null;
};

const list = statement<InvoiceLineRow>(
  "list_billing_invoice_lines",
  `SELECT id, position, corrects, replaces, kind, meter, description, plan_id AS "planId", plan_version AS "planVersion", period_from AS "periodFrom",
     period_to AS "periodTo", quantity::text, exact::text, priced_exact::text AS "pricedExact", amount, discount, net,
     tax_category AS "taxCategory", tax_rate::text AS "taxRate", invoice_at AS "invoiceAt", cut_off AS "cutOff",
     event_count AS "eventCount", event_set_hash AS "eventSetHash", events_as_of AS "eventsAsOf",
     events_received_from AS "eventsReceivedFrom", event_months AS "eventMonths"
   FROM billing_invoice_line WHERE invoice_id = $1 ORDER BY position`,
);

export const findInvoiceLineRows = (sql: Sql, invoiceId: string): Promise<InvoiceLineRow[]> =>
  sql.query(list, [invoiceId]);

const remove = statement<never>("delete_draft_lines", "DELETE FROM billing_invoice_line WHERE invoice_id = $1");

const insert = statement<never>(
  "insert_billing_invoice_lines",
  `INSERT INTO billing_invoice_line (invoice_id, id, position, corrects, replaces, kind, meter, description, plan_id, plan_version, period_from, period_to,
     quantity, exact, priced_exact, amount, discount, net, tax_category, tax_rate, invoice_at, cut_off, event_count, event_set_hash, events_as_of,
     events_received_from, event_months)
   SELECT $1, l.* FROM jsonb_to_recordset($2::jsonb) AS l (id text, position int, corrects text, replaces text, kind text, meter text, description text,
     plan_id text, plan_version int, period_from timestamptz, period_to timestamptz, quantity numeric, exact numeric, priced_exact numeric,
     amount bigint, discount bigint, net bigint, tax_category text, tax_rate numeric, invoice_at timestamptz, cut_off timestamptz,
     event_count bigint, event_set_hash text, events_as_of timestamptz, events_received_from timestamptz, event_months jsonb)`,
);

const toRecord = (line: InvoiceLineRow) => ({
  id: line.id,
  position: line.position,
  corrects: line.corrects,
  replaces: line.replaces,
  kind: line.kind,
  meter: line.meter,
  description: line.description,
  plan_id: line.planId,
  plan_version: line.planVersion,
  period_from: line.periodFrom,
  period_to: line.periodTo,
  quantity: line.quantity,
  exact: line.exact,
  priced_exact: line.pricedExact,
  amount: String(line.amount),
  discount: String(line.discount),
  net: String(line.net),
  tax_category: line.taxCategory,
  tax_rate: line.taxRate,
  invoice_at: line.invoiceAt,
  cut_off: line.cutOff,
  event_count: line.eventCount === null ? null : String(line.eventCount),
  event_set_hash: line.eventSetHash,
  events_as_of: line.eventsAsOf,
  events_received_from: line.eventsReceivedFrom,
  event_months: line.eventMonths,
});

export const insertInvoiceLines = async (
  sql: Sql,
  invoiceId: string,
  lines: readonly InvoiceLineRow[],
): Promise<void> => {
  await sql.query(insert, [invoiceId, JSON.stringify(lines.map(toRecord))]);
};

/** @throws if the invoice is final. */
export const replaceInvoiceLines = async (
  sql: Sql,
  invoiceId: string,
  lines: readonly InvoiceLineRow[],
): Promise<void> => {
  await sql.query(remove, [invoiceId]);
  await insertInvoiceLines(sql, invoiceId, lines);
};

const credited = statement<{ lineId: string; amount: string }>(
  "sum_credited_lines",
  `SELECT l.corrects AS "lineId", sum(l.amount)::text AS amount FROM billing_invoice i JOIN billing_invoice_line l ON l.invoice_id = i.id
    WHERE i.corrects = $1 GROUP BY l.corrects`,
);

/** The amounts that an invoice's credit notes have credited, by the id of the invoice's line. */
export const sumCreditedLines = async (sql: Sql, invoiceId: string): Promise<Map<string, bigint>> =>
  new Map((await sql.query(credited, [invoiceId])).map(({ lineId, amount }) => [lineId, BigInt(amount)]));
