import { updateTaxDecided } from "../../data/billing/invoices/write-invoice.ts";
import { releaseTaxHold } from "../../data/billing/subscriptions/billing-periods.ts";
import type { Deps } from "../../deps/deps.ts";
import { DomainError } from "../../kernel/errors.ts";
import { decisionDate } from "../rules/documents/terms.ts";
import { getInvoiceLockedWithSubscription } from "./get-locked-invoice.ts";
import { type InvoiceActor, recordInvoice } from "./record-invoice.ts";

type Input = InvoiceActor & { invoiceId: string; reason: string };

/**
 * Records an operator's decision that a draft is out of scope of tax. It can then be finalized without the merchant's
 * tax details. The draft must have waited for 7 days (docs/spec/billing.md, Tax details). The decision also applies to
 * drafts of the same period in other currencies. The next billing run finalizes them. A repeated call changes nothing.
 * @throws DomainError not_found; conflict invoice_is_final or tax_wait_not_over.
 */
export const decideTaxStatus = async (
  { db, businessClock }: Pick<Deps, "db" | "businessClock">,
  { invoiceId, reason, actor, requestId }: Input,
): Promise<{ isNew: boolean }> => {
  const at = await businessClock.now();
  return db.sqlTransaction(async (sql) => {
    const invoice = await getInvoiceLockedWithSubscription(sql, invoiceId);
    const { subscriptionId, status, taxAwaitedSince, taxDecidedAt } = invoice;
    if (taxDecidedAt !== null) return { isNew: false };
    if (status !== "draft")
      throw new DomainError("conflict", { code: "invoice_is_final", message: "The invoice is already issued." });
    if (taxAwaitedSince === null || at < decisionDate(taxAwaitedSince)) {
      const message = "The draft has waited less than 7 days for the merchant's tax region. Decide after 7 days.";
      throw new DomainError("conflict", { code: "tax_wait_not_over", message });
    }
    await updateTaxDecided(sql, invoiceId, at);
    if (subscriptionId !== null) await releaseTaxHold(sql, subscriptionId);
    const action = "invoice.tax_status_decided";
    await recordInvoice(sql, { invoiceId, events: [], action, data: { reason }, actor, requestId, at });
    return { isNew: true };
  });
};
