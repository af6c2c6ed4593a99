import { findInvoiceNotice } from "../../data/billing/collection/invoice-notice.ts";
import type { Sql } from "../../data/client.ts";
import type { Deps } from "../../deps/deps.ts";
import { merchantPageUrl } from "../../kernel/requests/merchant-page-url.ts";
import { queueMailToAll } from "../../platform/mail/queue-mail-to-all.ts";
import { suspensionAt } from "../rules/collection/dunning.ts";
import { toPayable } from "./choose-payment-method.ts";

type Input = {
  invoice: { id: string; merchantId: string; number: string; amountDue: bigint; currency: string; dueAt: Date };
  requestId: string;
};

/**
 * Queues a mail to the merchant's owners and admins about an invoice that became final, if an amount is due. Because
 * the billing run finalizes many invoices, this runs only two SQL statements for any number of recipients.
 */
export const announceInvoice = async (
  deps: Pick<Deps, "config" | "clock" | "processors">,
  sql: Sql,
  { invoice, requestId }: Input,
): Promise<void> => {
  if (invoice.amountDue === 0n) return;
  const notice = await findInvoiceNotice(sql, invoice.merchantId);
  if (!notice || notice.recipients.length === 0) return;
  const content = {
    kind: "invoice",
    merchantName: notice.merchantName,
    number: invoice.number,
    amountMinor: invoice.amountDue,
    currency: invoice.currency,
    dueOn: invoice.dueAt,
    isCollected: typeof toPayable(deps, notice.method, invoice) !== "string",
    suspendedOn: suspensionAt({ invoiceDueAt: invoice.dueAt, firstFailedAt: null }),
    invoiceUrl: merchantPageUrl(deps.config.walletUrl, invoice.merchantId, `/billing/invoices/${invoice.id}`),
  } as const;
  await queueMailToAll(deps, sql, { recipients: notice.recipients, content, requestId });
};
