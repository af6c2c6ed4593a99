import type { ContentOf } from "../rules/mail-content.ts";

const at = new Date("2026-11-21T13:15:00Z");
const invoice = { merchantName: "Fresh Market", number: "INV-2026-0042", amountMinor: 123_456n, currency: "EUR" };

/** An example of each mail to merchants about billing. */
export const billingSamples = (): { [Kind in "invoice" | "dunning" | "budget_alert"]: ContentOf<Kind> } => ({
  invoice: {
    kind: "invoice",
    ...invoice,
    dueOn: at,
    isCollected: true,
    suspendedOn: at,
    invoiceUrl: "https://pay.example/merchant/billing/invoices/inv_example",
  },
  dunning: {
    kind: "dunning",
    ...invoice,
    dueOn: at,
    cause: "declined",
    reminder: 2,
    suspendedOn: at,
    invoiceUrl: "https://pay.example/merchant/billing/invoices/inv_example",
  },
  budget_alert: {
    kind: "budget_alert",
    merchantName: invoice.merchantName,
    alertName: "Monthly budget of the checkout team",
    currency: "EUR",
    thresholdMinor: 40_000n,
    percent: 80,
    spentMinor: 40_120n,
    periodEndsOn: at,
    timeZone: "Europe/Berlin",
    billingUrl: "https://pay.example/merchant/billing",
  },
});
