import type { Page, Place } from "../../../kernel/pagination.ts";
import { type Sql, statement } from "../../client.ts";
import { createdFilters, equalFilter, findList } from "../../find-list.ts";

export type InvoiceStatus = "draft" | "open" | "paid" | "void" | "uncollectible";
/** Why a period is billed: it ended, or a change of plan ended a part of it. */
export type InvoiceKind = "period" | "change";

/** Amounts in JSON are decimal texts, so that they stay exact. */
type StoredTax = { category: string; rate: string; base: string; amount: string };
type StoredDiscount = { coupon: string | null; amount: string };

/** The amounts of a draft or a final invoice. */
type InvoiceAmounts = {
  subtotal: bigint;
  discount: bigint;
  tax: bigint;
  total: bigint;
  creditApplied: bigint;
  prepaidApplied: bigint;
  toCreditBalance: bigint;
  amountDue: bigint;
};

export type InvoiceRow = InvoiceAmounts & {
  id: string;
  merchantId: string;
  subscriptionId: string | null;
  type: "invoice" | "credit_note";
  kind: InvoiceKind;
  corrects: string | null;
  /** of a credit note */
  reason: string | null;
  requestKey: string | null;
  status: InvoiceStatus;
  currency: string;
  number: string | null;
  periodFrom: Date;
  periodTo: Date;
  planId: string;
  planVersion: number;
  taxBehaviour: "exclusive" | "inclusive";
  amountCredited: bigint;
  amountPaid: bigint;
  discounts: StoredDiscount[];
  taxes: StoredTax[];
  lineCount: number;
  createdAt: Date;
  /** when the draft was last computed */
  updatedAt: Date;
  taxAwaitedSince: Date | null;
  taxDecidedAt: Date | null;
  issuedAt: Date | null;
  dueAt: Date | null;
  pdfSha256: string | null;
};

const columns = `i.id, i.merchant_id AS "merchantId", i.subscription_id AS "subscriptionId", i.type, i.kind, i.corrects, i.reason, i.request_key AS "requestKey",
  i.status, i.currency, i.number, i.period_from AS "periodFrom", i.period_to AS "periodTo", i.plan_id AS "planId", i.plan_version AS "planVersion",
  i.tax_behaviour AS "taxBehaviour", i.subtotal, i.discount, i.tax, i.total, i.credit_applied AS "creditApplied",
  i.prepaid_applied AS "prepaidApplied", i.to_credit_balance AS "toCreditBalance", i.amount_credited AS "amountCredited",
  i.amount_paid AS "amountPaid", i.amount_due AS "amountDue", i.discounts, i.taxes, i.line_count AS "lineCount",
  i.created_at AS "createdAt", i.updated_at AS "updatedAt", i.tax_awaited_since AS "taxAwaitedSince", i.tax_decided_at AS "taxDecidedAt", i.issued_at AS "issuedAt",
  i.due_at AS "dueAt", i.pdf_sha256 AS "pdfSha256"`;

const find = statement<InvoiceRow>("find_billing_invoice", `SELECT ${columns} FROM billing_invoice i WHERE i.id = $1`);

export const findInvoiceRow = async (sql: Sql, id: string): Promise<InvoiceRow | null> =>
  (await sql.query(find, [id]))[0] ?? null;

const lock = statement<InvoiceRow>(
  "lock_billing_invoice",
  `SELECT ${columns} FROM billing_invoice i WHERE i.id = $1 FOR NO KEY UPDATE`,
);

/** Locks the invoice until the end of the transaction, so that its transitions run one after another. */
export const lockInvoiceRow = async (sql: Sql, id: string): Promise<InvoiceRow | null> =>
  (await sql.query(lock, [id]))[0] ?? null;

/**
 * `issuedFrom`, `issuedTo`: half-open; they select invoices by their time of issue, and drafts by the end of their
 * period.
 */
export type InvoiceFilter = {
  merchantId: string;
  status: string | null;
  currency: string | null;
  issuedFrom: Date | null;
  issuedTo: Date | null;
};

/** Newest first. */
export const findInvoiceRows = (
  sql: Sql,
  { merchantId, status, currency, issuedFrom, issuedTo, page }: InvoiceFilter & { page: Page },
): Promise<InvoiceRow[]> =>
  findList(sql, {
    name: "billing_invoices",
    select: `SELECT ${columns} FROM billing_invoice i`,
    order: ["i.created_at", "i.id"],
    filters: [
      ...equalFilter("merchant", "i.merchant_id", merchantId),
      ...equalFilter("status", "i.status", status),
      ...equalFilter("currency", "i.currency", currency),
      ...createdFilters("coalesce(i.issued_at, i.period_to)", { createdFrom: issuedFrom, createdTo: issuedTo }),
    ],
    page,
  });

const findPlace = statement<Place>(
  "find_billing_invoice_place",
  "SELECT created_at AS at, id FROM billing_invoice WHERE id = $2 AND merchant_id = $1",
);

export const findInvoicePlace = async (sql: Sql, merchantId: string, id: string): Promise<Place | null> =>
  (await sql.query(findPlace, [merchantId, id]))[0] ?? null;

const ofPeriod = statement<InvoiceRow>(
  "find_billing_invoice_of_period",
  `SELECT ${columns} FROM billing_invoice i WHERE i.subscription_id = $1 AND i.currency = $2 AND i.kind = $3 AND i.type = 'invoice'
     AND i.status <> 'void' AND tstzrange(i.period_from, i.period_to) && tstzrange($4::timestamptz, $5::timestamptz) FOR NO KEY UPDATE`,
);

/** Locks the invoices of a subscription that overlap a period and aren't void. */
export const lockInvoicesOfPeriod = (
  sql: Sql,
  subject: { subscriptionId: string; currency: string; kind: InvoiceKind; from: Date; to: Date },
): Promise<InvoiceRow[]> =>
  sql.query(ofPeriod, [subject.subscriptionId, subject.currency, subject.kind, subject.from, subject.to]);

const creditNote = statement<InvoiceRow>(
  "find_credit_note_of_request",
  `SELECT ${columns} FROM billing_invoice i WHERE i.corrects = $1 AND i.request_key = $2`,
);

/** The credit note that a request with this key created. */
export const findCreditNoteOf = async (sql: Sql, invoiceId: string, requestKey: string): Promise<InvoiceRow | null> =>
  (await sql.query(creditNote, [invoiceId, requestKey]))[0] ?? null;

const creditedDiscounts = statement<{ discounts: StoredDiscount[] }>(
  "find_credited_discounts",
  "SELECT discounts FROM billing_invoice WHERE corrects = $1",
);

/** The discounts of the credit notes of an invoice. */
export const findCreditedDiscounts = async (sql: Sql, invoiceId: string): Promise<StoredDiscount[]> =>
  (await sql.query(creditedDiscounts, [invoiceId])).flatMap(({ discounts }) => discounts);

/** A document that corrects an invoice, or is corrected by a credit note. */
export type RelatedInvoice = {
  id: string;
  number: string | null;
  status: InvoiceStatus;
  issuedAt: Date | null;
  total: bigint;
};

const related = statement<RelatedInvoice>(
  "list_related_billing_invoices",
  `SELECT id, number, status, issued_at AS "issuedAt", total FROM billing_invoice
    WHERE corrects = $1 OR id = (SELECT corrects FROM billing_invoice WHERE id = $1) ORDER BY created_at, id LIMIT 100`,
);

/** The credit notes of an invoice, oldest first, or the invoice of a credit note. */
export const listRelatedInvoices = (sql: Sql, invoiceId: string): Promise<RelatedInvoice[]> =>
  sql.query(related, [invoiceId]);
