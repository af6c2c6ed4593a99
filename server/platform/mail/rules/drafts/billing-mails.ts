import { formatMoney } from "../../../../kernel/money/money.ts";
import { type Draft, oneLine } from "../mail-body.ts";
import type { ContentOf } from "../mail-content.ts";
import { formatMailDayInUtc } from "../mail-dates.ts";

/** Merchants' mails are in English. */
const locale = "en-GB";

const factsOf = ({ merchantName, number, dueOn, ...money }: ContentOf<"invoice" | "dunning">) =>
  [
    ["Merchant", oneLine(merchantName)],
    ["Invoice", number],
    ["Amount", formatMoney(money, locale)],
    ["Due", `${formatMailDayInUtc(dueOn)}, UTC`],
  ] as const;

export const draftInvoiceMail = (content: ContentOf<"invoice">): Draft => ({
  subject: `Invoice ${content.number}: ${formatMoney(content, locale)}`,
  blocks: [
    `Your invoice ${content.number} is ready.`,
    { facts: factsOf(content) },
    { button: { label: "View the invoice", href: content.invoiceUrl } },
    content.isCollected
      ? "We charge your payment method on the due date. You don’t need to do anything."
      : "Please pay the invoice by the due date.",
  ],
});

export const draftDunningMail = (content: ContentOf<"dunning">): Draft => {
  const { number, reminder, suspendedOn, invoiceUrl } = content;
  const which = reminder === 1 ? "Reminder" : `Reminder ${reminder}`;
  return {
    subject: `${which}: invoice ${number} is not paid`,
    blocks: [
      `We could not collect the payment for invoice ${number}. Please update your payment method or pay the invoice.`,
      { facts: factsOf(content) },
      { button: { label: "Pay the invoice", href: invoiceUrl } },
      suspendedOn === null
        ? "Your service continues in the meantime."
        : `If the invoice isn’t paid by the end of ${formatMailDayInUtc(suspendedOn)} (UTC), new live charges are refused. The sandbox and refunds continue to work.`,
    ],
  };
};
