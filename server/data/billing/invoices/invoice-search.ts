import type { Place } from "../../../kernel/pagination.ts";
import { type Sql, type SqlValue, statement } from "../../client.ts";
import type { InvoiceRow, InvoiceStatus } from "./invoices.ts";

/** An invoice or credit note in the operators' lists. */
export type FoundInvoice = Pick<
  InvoiceRow,
  | "id"
  | "merchantId"
  | "type"
  | "status"
  | "currency"
  | "number"
  | "periodFrom"
  | "periodTo"
  | "total"
  | "amountDue"
  | "dueAt"
> & { merchantName: string; listedAt: Date };

/** Which invoices to search. */
export type InvoiceSource =
  | { kind: "all" }
  | { kind: "id" | "number"; value: string }
  | { kind: "merchants"; ids: readonly string[] };

export type InvoiceSearch = {
  source: InvoiceSource;
  type: InvoiceRow["type"] | null;
  status: InvoiceStatus | null;
  currency: string | null;
  /** half-open; selects invoices by their time of issue, and drafts by their time of creation */
  from: Date | null;
  to: Date | null;
  after: Place | null;
  limit: number;
};

const listedAt = "coalesce(i.issued_at, i.created_at)";
const columns = `i.id, i.merchant_id AS "merchantId", i.type, i.status, i.currency, i.number, i.period_from AS "periodFrom",
  i.period_to AS "periodTo", i.total, i.amount_due AS "amountDue", i.due_at AS "dueAt", ${listedAt} AS "listedAt"`;

/**
 * Newest first; `limit` + 1 rows if there are more. Each combination of filters is a separate statement, which reads
 * one page of one index. For a list of merchants, it reads one page of the index for each merchant.
 */
export const searchInvoicePage = (sql: Sql, search: InvoiceSearch): Promise<FoundInvoice[]> => {
  const { source, type, status, currency, from, to, after, limit } = search;
  const values: SqlValue[] = [];
  const bind = (value: SqlValue, as: string) => `$${values.push(value)}::${as}`;
  const keys: string[] = [source.kind];
  const conditions: string[] = [];
  const filter = (key: string, condition: string) => {
    keys.push(key);
    conditions.push(condition);
  };
  let each = "";
  if (source.kind === "merchants") {
    each = `unnest(${bind([...source.ids], "text[]")}) AS o (id)`;
    conditions.push("i.merchant_id = o.id");
  } else if (source.kind !== "all") conditions.push(`i.${source.kind} = ${bind(source.value, "text")}`);
  // A literal, so that the index of credit notes is used.
  if (type) filter(type, `i.type = '${type === "invoice" ? "invoice" : "credit_note"}'`);
  if (status) filter("status", `i.status = ${bind(status, "text")}`);
  if (currency) filter("currency", `i.currency = ${bind(currency, "text")}`);
  if (from) filter("from", `${listedAt} >= ${bind(from, "timestamptz")}`);
  if (to) filter("to", `${listedAt} < ${bind(to, "timestamptz")}`);
  if (after) filter("after", `(${listedAt}, i.id) < (${bind(after.at, "timestamptz")}, ${bind(after.id, "text")})`);
  const rowLimit = bind(limit + 1, "int");
  const where = conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : "";
  const page = `SELECT ${columns} FROM billing_invoice i ${where} ORDER BY ${listedAt} DESC, i.id DESC LIMIT ${rowLimit}`;
  const found = each ? `SELECT page.* FROM ${each} CROSS JOIN LATERAL (${page}) page` : page;
  const text = `SELECT f.*, m.display_name AS "merchantName" FROM (${found}) f JOIN merchant m ON m.id = f."merchantId"
    ORDER BY f."listedAt" DESC, f.id DESC LIMIT ${rowLimit}`;
  return sql.query(statement<FoundInvoice>(`search_invoices:${keys.join(",")}`, text), values);
};

const place = statement<Place>(
  "find_listed_invoice_place",
  `SELECT ${listedAt} AS at, i.id FROM billing_invoice i WHERE i.id = $1`,
);

export const findListedPlace = async (sql: Sql, id: string): Promise<Place | null> =>
  (await sql.query(place, [id]))[0] ?? null;

export type TaxCaseRow = FoundInvoice & { awaitedSince: Date };

const taxCases = statement<TaxCaseRow>(
  "list_invoices_awaiting_tax",
  `SELECT ${columns}, i.tax_awaited_since AS "awaitedSince", m.display_name AS "merchantName"
     FROM billing_invoice i JOIN merchant m ON m.id = i.merchant_id
    WHERE i.status = 'draft' AND i.tax_decided_at IS NULL AND i.tax_awaited_since IS NOT NULL
      AND ($1::text IS NULL OR i.merchant_id = $1)
      AND ($2::text IS NULL OR (i.tax_awaited_since, i.id) >
        (SELECT a.tax_awaited_since, a.id FROM billing_invoice a WHERE a.id = $2))
    ORDER BY i.tax_awaited_since, i.id LIMIT $3::int`,
);

/** Drafts that wait for the merchant's tax details. The draft that has waited longest comes first. */
export const listTaxCases = (
  sql: Sql,
  { merchantId, startingAfter, limit }: { merchantId: string | null; startingAfter: string | null; limit: number },
): Promise<TaxCaseRow[]> => sql.query(taxCases, [merchantId, startingAfter, limit + 1]);
