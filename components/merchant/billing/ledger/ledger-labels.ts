import type { LedgerAccount } from "#server/billing/rules/ledger/accounts.ts";
import type { MerchantCredit, MerchantLedgerEntry } from "#server/trpc/merchant/billing/ledger/ledger-views.ts";
import type { Tone } from "../../../ui/pill.tsx";

export const ledgerAccountLabels: Readonly<Record<LedgerAccount, string>> = {
  receivable: "Receivable",
  revenue: "Revenue",
  tax: "Tax",
  customer_credit: "Credit balance",
  prepaid: "Prepaid and promotional credit",
  discounts: "Discounts",
  bad_debt: "Bad debt",
  processor_clearing: "Payments in clearing",
  cash: "Cash",
  refunds: "Refunds",
  rounding: "Rounding",
};

export const isLedgerAccount = (text: unknown): text is LedgerAccount =>
  typeof text === "string" && Object.hasOwn(ledgerAccountLabels, text);

export const ledgerStateLabels: Readonly<Record<MerchantLedgerEntry["state"], { tone: Tone; label: string }>> = {
  pending: { tone: "warn", label: "Pending" },
  posted: { tone: "good", label: "Posted" },
  voided: { tone: "neutral", label: "Voided" },
};

export const creditKindLabels: Readonly<Record<MerchantCredit["kind"], string>> = {
  credit_note: "Added to credit balance",
  prepaid: "Prepaid",
  promotional: "Promotional",
};
