import type { MerchantListedInvoice } from "#server/trpc/merchant/billing/billing-views.ts";
import type { Tone } from "../../ui/pill.tsx";

export type InvoiceStatus = MerchantListedInvoice["status"];

export const invoiceStatusLabels: Readonly<Record<InvoiceStatus, { tone: Tone; label: string }>> = {
  draft: { tone: "neutral", label: "Draft" },
  open: { tone: "warn", label: "Open" },
  paid: { tone: "good", label: "Paid" },
  void: { tone: "neutral", label: "Void" },
  uncollectible: { tone: "bad", label: "Uncollectible" },
};

/** A credit note isn't paid: its API status `paid` means that it was issued. */
export const invoiceStatusLabel = ({
  status,
  type,
}: Pick<MerchantListedInvoice, "status" | "type">): { tone: Tone; label: string } =>
  type === "credit_note" && status === "paid" ? { tone: "good", label: "Issued" } : invoiceStatusLabels[status];

export const isInvoiceStatus = (text: unknown): text is InvoiceStatus =>
  typeof text === "string" && Object.hasOwn(invoiceStatusLabels, text);

/** A draft has no number yet. */
export const invoiceTitle = ({ number, type }: Pick<MerchantListedInvoice, "number" | "type">): string =>
  number ?? (type === "invoice" ? "Draft invoice" : "Draft credit note");
