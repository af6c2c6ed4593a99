import type { MerchantUnpaidInvoice } from "#server/trpc/merchant/billing/collection/collection-views.ts";
import { formatDateTime } from "../../../format/dates.ts";
import { formatAmount } from "../../../format/money.ts";
import type { Reader } from "../../../format/reader.ts";
import type { AttentionItem } from "../../../portal/attention.tsx";

/** The items for unpaid invoices, in the list of what needs attention. */
export const unpaidItems = (invoices: readonly MerchantUnpaidInvoice[], reader: Reader): AttentionItem[] =>
  invoices.map((invoice) => ({
    key: invoice.id,
    title: `Invoice ${invoice.number}: ${invoice.isOverdue ? "past due" : "payment failed"}`,
    text: `${formatAmount(invoice.amountDueMinor, invoice.currency, reader)} due ${formatDateTime(new Date(invoice.dueAt), reader)}. ${consequenceOf(invoice, reader)}`,
    href: `/merchant/billing/invoices/${invoice.id}`,
    verb: "See invoice",
  }));

const consequenceOf = ({ suspensionAt }: MerchantUnpaidInvoice, reader: Reader): string =>
  suspensionAt === null
    ? "New payments are refused until it is paid."
    : `New payments are refused from ${formatDateTime(new Date(suspensionAt), reader)} if it isn’t paid.`;
