import { findPlanName } from "../../../data/billing/catalogue/plans.ts";
import { type BillingPaymentRow, listPaymentsOfInvoice } from "../../../data/billing/collection/payments.ts";
import {
  listNotesOf,
  listPostingsOf,
  type NoteRecord,
  type PostingRecord,
} from "../../../data/billing/invoices/invoice-records.ts";
import { findInvoiceRow, type InvoiceRow } from "../../../data/billing/invoices/invoices.ts";
import { findInvoiceLineRows, sumCreditedLines } from "../../../data/billing/invoices/lines.ts";
import { findMerchant } from "../../../data/merchants/merchants.ts";
import { type ActOnObject, findActsOnObjects } from "../../../data/operators/object-records.ts";
import type { Deps } from "../../../deps/deps.ts";
import { isPaymentUnderReview } from "../../collection/review/unresolved-payment.ts";
import { decisionDate } from "../../rules/documents/terms.ts";
import { invoiceNotFound } from "../get-locked-invoice.ts";
import type { InvoiceDocument } from "../invoice.wire.ts";
import { toInvoiceDocument } from "../to-document.ts";

export type InvoiceForOperator = {
  row: InvoiceRow;
  document: InvoiceDocument;
  merchantName: string;
  planName: string;
  /** by line id: the amount that credit notes have credited */
  credited: ReadonlyMap<string, bigint>;
  payments: (BillingPaymentRow & { isUnderReview: boolean })[];
  notes: NoteRecord[];
  postings: PostingRecord[];
  timeline: ActOnObject[];
  isTimelineCut: boolean;
  /** when an operator may decide; null if the invoice isn't a draft that waits for tax details */
  decideFrom: Date | null;
  isDecisionDue: boolean;
};

/** Maximum number of payments and of credit notes. An invoice has fewer in practice. */
const maxRecords = 100;
const maxTimelineEntries = 200;

/** Any merchant's invoice or credit note, with its payments, postings and timeline. @throws DomainError not_found. */
export const getInvoiceForOperator = async (
  { db, clock, businessClock }: Pick<Deps, "db" | "clock" | "businessClock">,
  { invoiceId }: { invoiceId: string },
): Promise<InvoiceForOperator> => {
  const { sql } = db;
  const row = await findInvoiceRow(sql, invoiceId);
  if (!row) throw invoiceNotFound();
  const [lines, credited, payments, notes, merchant, planName] = await Promise.all([
    findInvoiceLineRows(sql, invoiceId),
    sumCreditedLines(sql, invoiceId),
    listPaymentsOfInvoice(sql, invoiceId, maxRecords),
    listNotesOf(sql, invoiceId, maxRecords),
    findMerchant(sql, row.merchantId),
    findPlanName(sql, { id: row.planId, version: row.planVersion }),
  ]);
  const subjectIds = [invoiceId, ...[...payments, ...notes].map(({ id }) => id)];
  const [postings, timeline, now] = await Promise.all([
    listPostingsOf(sql, subjectIds),
    findActsOnObjects(sql, { subjectIds, from: row.createdAt, limit: maxTimelineEntries + 1 }),
    businessClock.now(),
  ]);
  const decideFrom = decisionOf(row);
  const realNow = clock.now();
  return {
    row,
    document: toInvoiceDocument(row, lines),
    planName,
    merchantName: merchant?.displayName ?? row.merchantId,
    credited,
    payments: payments.map((one) => ({ ...one, isUnderReview: isPaymentUnderReview(one, realNow) })),
    notes,
    postings,
    timeline: timeline.slice(0, maxTimelineEntries),
    isTimelineCut: timeline.length > maxTimelineEntries,
    decideFrom,
    isDecisionDue: decideFrom !== null && decideFrom <= now,
  };
};

const decisionOf = ({ status, taxAwaitedSince, taxDecidedAt }: InvoiceRow): Date | null =>
  status === "draft" && taxAwaitedSince !== null && taxDecidedAt === null ? decisionDate(taxAwaitedSince) : null;
