import { type CollectionHold, type CollectionRow, findCollection } from "../../data/billing/collection/collections.ts";
import { type BillingPaymentRow, listPaymentsOfInvoice } from "../../data/billing/collection/payments.ts";
import type { Deps } from "../../deps/deps.ts";
import { getInvoice } from "../invoices/read/get-invoice.ts";
import { choosePaymentMethod, type PayableMethod } from "./choose-payment-method.ts";

export type InvoiceCollection = {
  /** newest first */
  payments: BillingPaymentRow[];
  /** null for a draft, for a credit note, and for an invoice that was paid when it was issued */
  collection: CollectionRow | null;
  /** the payment method for the invoice; null: none, because of `hold` */
  method: PayableMethod | null;
  hold: CollectionHold | null;
  /** The invoice is unpaid, it has a payment method, and the outcome of every attempt is known. */
  isPayable: boolean;
};

/** Maximum number of payments. An invoice has fewer in practice. */
const maxItems = 50;

/** How an invoice is collected. @throws DomainError not_found, also for another merchant's invoice. */
export const findInvoiceCollection = async (
  deps: Pick<Deps, "db" | "config" | "processors">,
  { merchantId, invoiceId }: { merchantId: string; invoiceId: string },
): Promise<InvoiceCollection> => {
  const { sql } = deps.db;
  const { row } = await getInvoice(deps, { merchantId, invoiceId });
  const payments = await listPaymentsOfInvoice(sql, invoiceId, maxItems);
  const collection = await findCollection(sql, invoiceId);
  const chosen = await choosePaymentMethod(deps, sql, { merchantId, due: row });
  const [method, hold] = typeof chosen === "string" ? [null, chosen] : [chosen, null];
  const isOwed = row.status === "open" || row.status === "uncollectible";
  const isUnresolved = payments.some(({ state }) => state === "pending");
  return { payments, collection, method, hold, isPayable: isOwed && method !== null && !isUnresolved };
};
