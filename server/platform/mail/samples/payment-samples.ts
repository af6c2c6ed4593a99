import type { MailReader } from "../rules/mail-reader.ts";
import type { PaymentMailContent } from "../rules/payment-mail-content.ts";

const at = new Date("2026-11-21T13:15:00Z");
const wallet = "https://pay.example/wallet";
const mandateUrl = `${wallet}/mandates/mdt_example`;
const clientName = "Grocer Bot";

const terms = {
  en: ["Fresh Market: groceries for the week", "At most €50.00 each payment", "At most €200.00 each month"],
  de: ["Fresh Market: Einkäufe für die Woche", "Höchstens 50,00 € je Zahlung", "Höchstens 200,00 € pro Monat"],
};

/** An example of each mail about payments and mandates. */
export const paymentSamples = (
  reader: MailReader,
): { [Kind in PaymentMailContent["kind"]]: PaymentMailContent & { kind: Kind } } => {
  const payment = { merchantName: "Fresh Market", clientName, amountMinor: 123_456n, currency: "EUR", reader };
  const approval = { ...payment, approvalUrl: `${wallet}/approvals/chg_example`, expiresAt: at, isLast: false };
  const isGerman = reader.locale.startsWith("de");
  return {
    approval_needed: { kind: "approval_needed", ...approval },
    confirmation_needed: { kind: "confirmation_needed", ...approval, isLast: true },
    charge_announced: {
      kind: "charge_announced",
      ...payment,
      reference: "Invoice 2026-0042",
      dueAt: at,
      noticeUrl: `${wallet}/upcoming/ntc_example`,
    },
    charge_failed: {
      kind: "charge_failed",
      ...payment,
      declineCode: "insufficient_funds",
      at,
      chargeUrl: `${wallet}/activity/chg_example`,
    },
    consent_given: { kind: "consent_given", clientName, terms: terms[isGerman ? "de" : "en"], at, mandateUrl, reader },
    mandate_changed: {
      kind: "mandate_changed",
      clientName,
      purpose: isGerman ? "Einkäufe für die Woche" : "Groceries for the week",
      count: 1,
      change: "suspended",
      limits: [],
      by: "operator",
      at,
      mandateUrl,
      reader,
    },
    limit_near: {
      kind: "limit_near",
      clientName,
      limits: [
        { period: "month", used: 17_250n, cap: 20_000n, currency: "EUR", resetsAt: at },
        { period: "total", used: 8n, cap: 10n, currency: null, resetsAt: null },
      ],
      mandateUrl,
      reader,
    },
  };
};
