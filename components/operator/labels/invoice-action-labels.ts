import { sentenceCase } from "../../format/text.ts";

const labels: Readonly<Record<string, string>> = {
  "invoice.finalized": "Issued",
  "invoice.paid": "Paid",
  "invoice.partly_paid": "Paid in part",
  "invoice.payment_failed": "A payment was declined",
  "invoice.overdue": "The due date passed",
  "invoice.voided": "Voided",
  "invoice.marked_uncollectible": "Marked as uncollectible",
  "invoice.tax_status_decided": "Operator decided to issue the invoice without tax",
  "credit_note.created": "Credit note created",
  "billing_payment.settled": "Payment settled by an operator",
  "billing_payment.searched": "Payment looked up again",
};

export const invoiceActionLabel = (action: string): string =>
  labels[action] ?? sentenceCase(action.replace(/^\w+\./, "").replaceAll("_", " "));
