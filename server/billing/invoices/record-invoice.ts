import { type Actor, appendAudit } from "../../data/audit/audit.ts";
import { findInvoiceRow } from "../../data/billing/invoices/invoices.ts";
import type { Sql } from "../../data/client.ts";
import { appendEvent, type BillingEventType } from "../../data/webhooks/events.ts";
import type { JsonObject } from "../../kernel/text/json.ts";
import { toInvoiceSummary } from "./invoice.wire.ts";
import { toSummaryDocument } from "./to-document.ts";

/** The actor and the request that caused a transition of an invoice. */
export type InvoiceActor = { actor: Actor; requestId: string };

type Record = InvoiceActor & {
  invoiceId: string;
  events: readonly BillingEventType[];
  action: `invoice.${string}` | `credit_note.${string}`;
  data?: JsonObject;
  at: Date;
};

/**
 * Writes the audit entry and the events of a transition, in its transaction. The events contain the current invoice
 * without its lines. The caller holds the invoice's row lock, so that the events of one invoice are numbered without
 * gaps.
 */
export const recordInvoice = async (sql: Sql, record: Record): Promise<void> => {
  const { invoiceId, events, action, actor, requestId, data = {}, at } = record;
  const row = await findInvoiceRow(sql, invoiceId);
  if (!row) throw new Error(`invoice ${invoiceId} does not exist`);
  const audited = { merchant_id: row.merchantId, number: row.number, ...data };
  await appendAudit(sql, { at, actor, requestId, action, subjectId: invoiceId, data: audited });
  const summary = { ...toInvoiceSummary(toSummaryDocument(row)), merchant_id: row.merchantId };
  for (const type of events) await appendEvent(sql, { type, objectId: invoiceId, data: summary, at });
};
