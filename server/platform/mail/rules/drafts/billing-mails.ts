import { formatMoney } from "../../../../kernel/money/money.ts";
import { type Draft, oneLine } from "../mail-body.ts";
import type { ContentOf } from "../mail-content.ts";
import { formatMailDay, formatMailDayInUtc } from "../mail-dates.ts";

/** Merchants' mails are in English. */
const locale = "en-GB";

const factsOf = ({ merchantName, number, dueOn, ...money }: ContentOf<"invoice" | "dunning">) =>
  [
    ["Merchant", oneLine(merchantName)],
    ["Invoice", number],
    ["Amount", formatMoney(money, locale)],
    ["Due", `${formatMailDayInUtc(dueOn)}, UTC`],
  ] as const;

const refusalFrom = (suspendedOn: Date): string =>
  `New payments are refused from ${formatMailDayInUtc(suspendedOn)} (UTC) if the invoice isn’t paid by then. Refunds continue to work.`;

const draftInvoiceMail = (content: ContentOf<"invoice">): Draft => ({
  subject: `Invoice ${content.number}: ${formatMoney(content, locale)}`,
  blocks: [
    `Your invoice ${content.number} is ready.`,
    { facts: factsOf(content) },
    { button: { label: "View the invoice", href: content.invoiceUrl } },
    content.isCollected
      ? "We charge your payment method now. You don’t need to do anything."
      : `Please pay the invoice by the due date. ${refusalFrom(content.suspendedOn)}`,
  ],
});

const draftDunningMail = (content: ContentOf<"dunning">): Draft => {
  const { number, cause, reminder, suspendedOn, invoiceUrl } = content;
  const which = reminder === 1 ? "Reminder" : `Reminder ${reminder}`;
  return {
    subject: `${which}: invoice ${number} is not paid`,
    blocks: [
      cause === "declined"
        ? `We could not collect the payment for invoice ${number}. Please update your payment method or pay the invoice.`
        : `Invoice ${number} is past its due date, and you have no payment method. Please add one to pay the invoice.`,
      { facts: factsOf(content) },
      { button: { label: "Pay the invoice", href: invoiceUrl } },
      suspendedOn === null ? "Your service continues in the meantime." : refusalFrom(suspendedOn),
    ],
  };
};

const draftBudgetAlertMail = (content: ContentOf<"budget_alert">): Draft => {
  const { currency, percent, thresholdMinor, spentMinor, periodEndsOn, timeZone, billingUrl } = content;
  const money = (amountMinor: bigint) => formatMoney({ amountMinor, currency }, locale);
  const name = oneLine(content.alertName);
  const reached = percent === null ? money(thresholdMinor) : `${percent}% of your budget (${money(thresholdMinor)})`;
  return {
    subject: `Budget alert: ${name}`,
    blocks: [
      `The cost of your current billing period reached ${reached}.`,
      {
        facts: [
          ["Merchant", oneLine(content.merchantName)],
          ["Alert", name],
          ["Cost so far", money(spentMinor)],
          ["Period ends", `${formatMailDay(periodEndsOn, { locale, timeZone })}, ${timeZone}`],
        ],
      },
      { button: { label: "View your billing", href: billingUrl } },
      "The cost includes tax. Credits aren’t subtracted. This alert is sent once per period. No payment is refused because of this alert.",
    ],
  };
};

export const draftBillingMail = (content: ContentOf<"invoice" | "dunning" | "budget_alert">): Draft => {
  switch (content.kind) {
    case "invoice":
      return draftInvoiceMail(content);
    case "dunning":
      return draftDunningMail(content);
    case "budget_alert":
      return draftBudgetAlertMail(content);
  }
};
