import { lockCreditUses, takeFromGrants } from "../../../data/billing/credits/grants.ts";
import { updateInvoiceStatus } from "../../../data/billing/invoices/write-invoice.ts";
import { findPostings } from "../../../data/billing/ledger/transactions.ts";
import type { Deps } from "../../../deps/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { postTransaction } from "../../ledger/post-transaction.ts";
import { reversedPostings } from "../../rules/ledger/postings.ts";
import { getLockedInvoice } from "../get-locked-invoice.ts";
import { type InvoiceActor, recordInvoice } from "../record-invoice.ts";
import { refuseOtherStatus } from "./refuse-other-status.ts";

type Input = InvoiceActor & { invoiceId: string; reason: string };

/**
 * Cancels an open invoice: its ledger entries are reversed and the credits that it used are given back. Repeating it
 * changes nothing (docs/spec/billing.md, Invoices). The caller makes sure that no payment of it is unresolved.
 * @throws DomainError not_found; conflict invoice_not_open, or invoice_has_payments after a payment or credit note.
 */
export const voidInvoice = async (
  { db, businessClock }: Pick<Deps, "db" | "businessClock">,
  { invoiceId, reason, actor, requestId }: Input,
): Promise<{ isNew: boolean }> => {
  const at = await businessClock.now();
  return db.sqlTransaction(async (sql) => {
    const invoice = await getLockedInvoice(sql, { invoiceId });
    if (invoice.status === "void") return { isNew: false };
    refuseOtherStatus(invoice, "open");
    const { merchantId, amountPaid, amountCredited } = invoice;
    if (amountPaid > 0n || amountCredited > 0n) {
      const message = "The invoice has a payment or a credit note. Credit what is left of it instead.";
      throw new DomainError("conflict", { code: "invoice_has_payments", message });
    }
    const uses = await lockCreditUses(sql, invoiceId);
    const back = uses.map(({ id, amount }) => ({ id, amount: -amount }));
    await takeFromGrants(sql, back, { invoiceId, at });
    const source = { type: "invoice", id: invoiceId } as const;
    const postings = reversedPostings(await findPostings(sql, "invoice.finalized", source));
    await postTransaction(sql, { merchantId, kind: "invoice.voided", source, postings, at });
    await updateInvoiceStatus(sql, invoiceId, { status: "void", amountDue: 0n, amountPaid, amountCredited, at });
    const events = ["invoice.voided"] as const;
    await recordInvoice(sql, { invoiceId, events, action: "invoice.voided", data: { reason }, actor, requestId, at });
    return { isNew: true };
  });
};
