import { updateInvoiceStatus } from "../../../data/billing/invoices/write-invoice.ts";
import type { Deps } from "../../../deps/deps.ts";
import { postTransaction } from "../../ledger/post-transaction.ts";
import { uncollectiblePostings } from "../../rules/ledger/postings.ts";
import { getLockedInvoice } from "../get-locked-invoice.ts";
import { type InvoiceActor, recordInvoice } from "../record-invoice.ts";
import { refuseOtherStatus } from "./refuse-other-status.ts";

type Input = InvoiceActor & { invoiceId: string; reason: string };

/**
 * The amount due of an open invoice becomes bad debt. A later payment still settles it. Repeating it changes nothing
 * (docs/spec/billing.md, Invoices).
 * @throws DomainError not_found; conflict invoice_not_open.
 */
export const markUncollectible = async (
  { db, businessClock }: Pick<Deps, "db" | "businessClock">,
  { invoiceId, reason, actor, requestId }: Input,
): Promise<{ isNew: boolean }> => {
  const at = await businessClock.now();
  return db.sqlTransaction(async (sql) => {
    const invoice = await getLockedInvoice(sql, { invoiceId });
    if (invoice.status === "uncollectible") return { isNew: false };
    refuseOtherStatus(invoice, "open");
    const { merchantId, currency, amountDue, amountPaid, amountCredited } = invoice;
    await postTransaction(sql, {
      merchantId,
      kind: "invoice.uncollectible",
      source: { type: "invoice", id: invoiceId },
      postings: uncollectiblePostings(currency, amountDue),
      at,
    });
    await updateInvoiceStatus(sql, invoiceId, { status: "uncollectible", amountDue, amountPaid, amountCredited, at });
    const action = "invoice.marked_uncollectible";
    await recordInvoice(sql, { invoiceId, events: [], action, data: { reason }, actor, requestId, at });
    return { isNew: true };
  });
};
