import type { Deps } from "../../../deps/deps.ts";
import { postTransaction } from "../../ledger/post-transaction.ts";
import { uncollectiblePostings } from "../../rules/ledger/postings.ts";
import { type InvoiceActor, recordInvoice } from "../record-invoice.ts";
import { endOpenInvoice } from "./end-open-invoice.ts";

type Input = InvoiceActor & { invoiceId: string; reason: string };

/**
 * Marks an open invoice as uncollectible: its amount due becomes bad debt. A later payment still settles the invoice. A
 * repeated call changes nothing (docs/spec/billing.md, Invoices).
 * @throws DomainError not_found; conflict invoice_not_final or invoice_not_open.
 */
export const markUncollectible = (
  deps: Pick<Deps, "db" | "businessClock">,
  { invoiceId, reason, actor, requestId }: Input,
): Promise<{ isNew: boolean }> =>
  endOpenInvoice(deps, {
    invoiceId,
    status: "uncollectible",
    async end(sql, { merchantId, currency, amountDue }, at) {
      await postTransaction(sql, {
        merchantId,
        kind: "invoice.uncollectible",
        source: { type: "invoice", id: invoiceId },
        postings: uncollectiblePostings(currency, amountDue),
        at,
      });
      const action = "invoice.marked_uncollectible";
      await recordInvoice(sql, { invoiceId, events: [], action, data: { reason }, actor, requestId, at });
      return amountDue;
    },
  });
