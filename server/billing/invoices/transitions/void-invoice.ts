import { lockCreditUses, takeFromGrants } from "../../../data/billing/credits/grants.ts";
import { findPostings } from "../../../data/billing/ledger/transactions.ts";
import type { Deps } from "../../../deps/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { postTransaction } from "../../ledger/post-transaction.ts";
import { reversedPostings } from "../../rules/ledger/postings.ts";
import { type InvoiceActor, recordInvoice } from "../record-invoice.ts";
import { endOpenInvoice } from "./end-open-invoice.ts";

type Input = InvoiceActor & { invoiceId: string; reason: string };

/**
 * Cancels an open invoice: its ledger entries are reversed and the credits that it used are given back. Repeating it
 * changes nothing (docs/spec/billing.md, Invoices). The caller ensures that it has no unresolved payment.
 * @throws DomainError not_found; conflict invoice_not_open, or invoice_has_payments after a payment or credit note.
 */
export const voidInvoice = (
  deps: Pick<Deps, "db" | "businessClock">,
  { invoiceId, reason, actor, requestId }: Input,
): Promise<{ isNew: boolean }> =>
  endOpenInvoice(deps, {
    invoiceId,
    status: "void",
    async end(sql, { merchantId, amountPaid, amountCredited }, at) {
      if (amountPaid > 0n || amountCredited > 0n) {
        const message = "The invoice has a payment or a credit note. Credit the remaining amount instead.";
        throw new DomainError("conflict", { code: "invoice_has_payments", message });
      }
      const uses = await lockCreditUses(sql, invoiceId);
      const back = uses.map(({ id, amount }) => ({ id, amount: -amount }));
      await takeFromGrants(sql, back, { invoiceId, at });
      const source = { type: "invoice", id: invoiceId } as const;
      const postings = reversedPostings(await findPostings(sql, "invoice.finalized", source));
      await postTransaction(sql, { merchantId, kind: "invoice.voided", source, postings, at });
      const events = ["invoice.voided"] as const;
      await recordInvoice(sql, { invoiceId, events, action: "invoice.voided", data: { reason }, actor, requestId, at });
      return 0n;
    },
  });
