import type { CollectionRow } from "../../data/billing/collection/collections.ts";
import { findInvoiceRow } from "../../data/billing/invoices/invoices.ts";
import type { Sql } from "../../data/client.ts";
import { listMerchantManagers } from "../../data/merchants/members.ts";
import { lockMerchant } from "../../data/merchants/merchants.ts";
import type { Deps } from "../../deps/deps.ts";
import { merchantPageUrl } from "../../kernel/requests/merchant-page-url.ts";
import { queueMailToAll } from "../../platform/mail/queue-mail-to-all.ts";
import { suspensionAt } from "../rules/collection/dunning.ts";

type Input = {
  invoiceId: string;
  collection: CollectionRow;
  invoiceDueAt: Date;
  cause: "declined" | "no_payment_method";
  requestId: string;
};

/** Queues a mail to the merchant's owners and admins about a failed payment or a due date that has passed. */
export const remindManagers = async (
  deps: Pick<Deps, "config" | "clock">,
  sql: Sql,
  { invoiceId, collection, invoiceDueAt, cause, requestId }: Input,
): Promise<void> => {
  const invoice = await findInvoiceRow(sql, invoiceId);
  const merchant = await lockMerchant(sql, collection.merchantId);
  if (!invoice?.number || !merchant) return;
  const content = {
    kind: "dunning",
    merchantName: merchant.displayName,
    number: invoice.number,
    amountMinor: invoice.amountDue,
    currency: invoice.currency,
    dueOn: invoiceDueAt,
    cause,
    // A due date passes only once, so its reminder is always the first one.
    reminder: cause === "declined" ? collection.failures : 1,
    suspendedOn: suspensionAt({ ...collection, invoiceDueAt }),
    invoiceUrl: merchantPageUrl(deps.config.walletUrl, merchant.id, `/billing/invoices/${invoiceId}`),
  } as const;
  const recipients = (await listMerchantManagers(sql, merchant.id)).map(({ email }) => email);
  await queueMailToAll(deps, sql, { recipients, content, requestId });
};
