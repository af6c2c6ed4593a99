import { findUnresolvedPayment } from "../../../data/billing/collection/payments.ts";
import { lockCreditUses, takeFromGrants } from "../../../data/billing/credits/grants.ts";
import { hasLinesToRepeat } from "../../../data/billing/invoices/voided-credits.ts";
import { findPostings } from "../../../data/billing/ledger/transactions.ts";
import { addRevenue } from "../../../data/billing/revenue/revenue.ts";
import { releaseSlaCredits } from "../../../data/billing/sla/sla-credits.ts";
import { insertFurtherLatePeriod } from "../../../data/billing/subscriptions/billing-periods.ts";
import { listSubscriptionsToCorrect } from "../../../data/billing/subscriptions/void-fees.ts";
import type { Deps } from "../../../deps/deps.ts";
import { DomainError } from "../../../kernel/errors.ts";
import { postTransaction } from "../../ledger/post-transaction.ts";
import { reversedPostings } from "../../rules/ledger/postings.ts";
import { type InvoiceActor, recordInvoice } from "../record-invoice.ts";
import { endOpenInvoice } from "./end-open-invoice.ts";

type Input = InvoiceActor & { invoiceId: string; reason: string };

/**
 * Voids an open invoice: its ledger entries are reversed, and the credits that it used are returned. The next invoice
 * repeats the credit lines of the void invoice. A refund may already have credited a fee of this invoice on another
 * invoice. The next invoice charges this fee again, so that the merchant doesn't get it back twice. If the subscription
 * has ended, the next invoice follows immediately. A repeated call changes nothing (docs/spec/billing.md,
 * Invoices). No payment attempt can start at the same time, because attempts start under the invoice's lock.
 * @throws DomainError not_found; conflict invoice_not_final, invoice_not_open, invoice_has_payments after a payment or
 *   credit note, or invoice_payment_unresolved.
 */
export const voidInvoice = (
  deps: Pick<Deps, "db" | "businessClock">,
  { invoiceId, reason, actor, requestId }: Input,
): Promise<{ isNew: boolean }> =>
  endOpenInvoice(deps, {
    invoiceId,
    status: "void",
    async end(sql, { merchantId, subscriptionId, amountPaid, amountCredited }, at) {
      if (amountPaid > 0n || amountCredited > 0n) {
        const message = "The invoice has a payment or a credit note. Credit the remaining amount instead.";
        throw new DomainError("conflict", { code: "invoice_has_payments", message });
      }
      if (await findUnresolvedPayment(sql, invoiceId)) {
        const message = "The outcome of a payment of this invoice isn’t known yet. Settle the payment first.";
        throw new DomainError("conflict", { code: "invoice_payment_unresolved", message });
      }
      const uses = await lockCreditUses(sql, invoiceId);
      const back = uses.map(({ id, amount }) => ({ id, amount: -amount }));
      await takeFromGrants(sql, back, { invoiceId, at });
      const hasCredits = (await releaseSlaCredits(sql, invoiceId)) || (await hasLinesToRepeat(sql, invoiceId));
      const toBill = new Set(await listSubscriptionsToCorrect(sql, invoiceId));
      if (hasCredits && subscriptionId !== null) toBill.add(subscriptionId);
      for (const id of toBill) await insertFurtherLatePeriod(sql, id, at);
      const source = { type: "invoice", id: invoiceId } as const;
      const postings = reversedPostings(await findPostings(sql, "invoice.finalized", source));
      await postTransaction(sql, { merchantId, kind: "invoice.voided", source, postings, at });
      await addRevenue(sql, { invoiceId, at, sign: -1 });
      const events = ["invoice.voided"] as const;
      await recordInvoice(sql, { invoiceId, events, action: "invoice.voided", data: { reason }, actor, requestId, at });
      return 0n;
    },
  });
