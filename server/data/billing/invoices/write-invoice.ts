import type { JsonObject } from "../../../kernel/text/json.ts";
import { type Sql, statement } from "../../client.ts";
import { numberParameters, type Parameter } from "../../parameters.ts";
import type { InvoiceRow, InvoiceStatus } from "./invoices.ts";

type Written = Omit<InvoiceRow, "taxAwaitedSince" | "taxDecidedAt" | "pdfSha256"> & {
  closedAt: Date | null;
  snapshot: JsonObject | null;
};

const parameters: readonly Parameter<Written>[] = [
  ["id", ({ id }) => id],
  ["merchant_id", ({ merchantId }) => merchantId],
  ["subscription_id", ({ subscriptionId }) => subscriptionId],
  ["type", ({ type }) => type],
  ["kind", ({ kind }) => kind],
  ["corrects", ({ corrects }) => corrects],
  ["reason", ({ reason }) => reason],
  ["request_key", ({ requestKey }) => requestKey],
  ["status", ({ status }) => status],
  ["currency", ({ currency }) => currency],
  ["number", ({ number }) => number],
  ["period_from", ({ periodFrom }) => periodFrom, "timestamptz"],
  ["period_to", ({ periodTo }) => periodTo, "timestamptz"],
  ["plan_id", ({ planId }) => planId],
  ["plan_version", ({ planVersion }) => planVersion, "int"],
  ["tax_behaviour", ({ taxBehaviour }) => taxBehaviour],
  ["subtotal", ({ subtotal }) => subtotal, "bigint"],
  ["discount", ({ discount }) => discount, "bigint"],
  ["tax", ({ tax }) => tax, "bigint"],
  ["total", ({ total }) => total, "bigint"],
  ["credit_applied", ({ creditApplied }) => creditApplied, "bigint"],
  ["prepaid_applied", ({ prepaidApplied }) => prepaidApplied, "bigint"],
  ["to_credit_balance", ({ toCreditBalance }) => toCreditBalance, "bigint"],
  ["amount_credited", ({ amountCredited }) => amountCredited, "bigint"],
  ["amount_paid", ({ amountPaid }) => amountPaid, "bigint"],
  ["amount_due", ({ amountDue }) => amountDue, "bigint"],
  ["discounts", ({ discounts }) => JSON.stringify(discounts), "jsonb"],
  ["taxes", ({ taxes }) => JSON.stringify(taxes), "jsonb"],
  ["line_count", ({ lineCount }) => lineCount, "int"],
  ["created_at", ({ createdAt }) => createdAt, "timestamptz"],
  ["updated_at", ({ updatedAt }) => updatedAt, "timestamptz"],
  ["issued_at", ({ issuedAt }) => issuedAt, "timestamptz"],
  ["due_at", ({ dueAt }) => dueAt, "timestamptz"],
  ["closed_at", ({ closedAt }) => closedAt, "timestamptz"],
  ["snapshot", ({ snapshot }) => (snapshot === null ? null : JSON.stringify(snapshot)), "jsonb"],
];
const written = numberParameters(parameters);
const insert = statement<never>(
  "insert_billing_invoice",
  `INSERT INTO billing_invoice (${written.names}) VALUES (${written.placeholders})`,
);
const update = statement<never>(
  "update_billing_draft",
  `UPDATE billing_invoice SET (${written.names}) = (${written.placeholders}) WHERE id = $1`,
);

export const insertInvoice = async (sql: Sql, invoice: Written): Promise<void> => {
  await sql.query(insert, written.valuesOf(invoice));
};

/** Replaces a draft. The new row may be final. @throws if the invoice is already final. */
export const replaceDraft = async (sql: Sql, invoice: Written): Promise<void> => {
  await sql.query(update, written.valuesOf(invoice));
};

const remove = statement<never>("delete_billing_draft", "DELETE FROM billing_invoice WHERE id = $1");

/** @throws if the invoice is final. */
export const deleteDraft = async (sql: Sql, id: string): Promise<void> => {
  await sql.query(remove, [id]);
};

const setStatus = statement<never>(
  "set_billing_invoice_status",
  `UPDATE billing_invoice SET status = $2, amount_due = $3::bigint, amount_paid = $4::bigint, amount_credited = $5::bigint,
     closed_at = CASE WHEN $2 = 'open' THEN NULL WHEN $2 = status THEN closed_at ELSE $6::timestamptz END WHERE id = $1`,
);

type Transition = {
  status: InvoiceStatus;
  amountDue: bigint;
  amountPaid: bigint;
  amountCredited: bigint;
  at: Date;
};

/** Changes the status and amounts of a final invoice. Nothing else in it changes, except the hash of its PDF. */
export const updateInvoiceStatus = async (sql: Sql, id: string, transition: Transition): Promise<void> => {
  const { status, amountDue, amountPaid, amountCredited, at } = transition;
  await sql.query(setStatus, [id, status, amountDue, amountPaid, amountCredited, at]);
};

const awaitTax = statement<{ since: Date }>(
  "await_billing_tax_status",
  `UPDATE billing_invoice SET tax_awaited_since = coalesce(tax_awaited_since, $2::timestamptz) WHERE id = $1
   RETURNING tax_awaited_since AS since`,
);

/** @returns the time at which the draft began to wait. */
export const updateTaxAwaited = async (sql: Sql, id: string, at: Date): Promise<Date> =>
  (await sql.query(awaitTax, [id, at]))[0]?.since ?? at;

const decideTax = statement<never>(
  "decide_billing_tax_status",
  `UPDATE billing_invoice o SET tax_decided_at = $2::timestamptz FROM billing_invoice i
    WHERE i.id = $1 AND o.status = 'draft' AND o.tax_decided_at IS NULL AND (o.id = i.id OR (
      o.subscription_id = i.subscription_id AND o.kind = i.kind AND o.period_from = i.period_from AND o.period_to = i.period_to))`,
);

/** Also marks the drafts of the same period in other currencies, which have the same tax status. */
export const updateTaxDecided = async (sql: Sql, id: string, at: Date): Promise<void> => {
  await sql.query(decideTax, [id, at]);
};

const lockDrafts = statement<never>(
  "lock_billing_drafts",
  "SELECT pg_advisory_xact_lock(hashtextextended('paygrant.billing_drafts.' || $1, 0))",
);

/** Locks until the end of the transaction, so that drafts of one subscription are stored one after another. */
export const lockDraftsOf = async (sql: Sql, subscriptionId: string): Promise<void> => {
  await sql.query(lockDrafts, [subscriptionId]);
};

const lockInvoicing = statement<never>(
  "lock_invoicing_of_merchant",
  "SELECT pg_advisory_xact_lock(hashtextextended('paygrant.invoicing.' || $1, 0))",
);

/**
 * Locks until the end of the transaction, so that final invoices and credit notes of one merchant are written one after
 * another, and its tax details don't change meanwhile. The order of all locks is: merchant, subscription, this lock,
 * invoice, credits, ledger balances, number, revenue. A transaction with several invoices departs from this order: it
 * has already locked a number and revenue when it locks the credits of the next currency. To avoid a deadlock, every
 * other transaction of the merchant must therefore take this lock before it locks credits and then a number or revenue.
 */
export const lockInvoicingOf = async (sql: Sql, merchantId: string): Promise<void> => {
  await sql.query(lockInvoicing, [merchantId]);
};

const takeNumber = statement<{ last: bigint }>(
  "take_billing_number",
  `INSERT INTO billing_number AS n (series, year, last) VALUES ($1, $2::int, 1)
   ON CONFLICT (series, year) DO UPDATE SET last = n.last + 1 RETURNING last`,
);

/**
 * Takes the next number of a series. The row stays locked until the transaction ends. If the transaction is rolled
 * back, the next one gets the same number. Call it late in the transaction.
 */
export const takeInvoiceNumber = async (sql: Sql, series: string, year: number): Promise<bigint> => {
  const [row] = await sql.query(takeNumber, [series, year]);
  if (!row) throw new Error("no number was taken");
  return row.last;
};
