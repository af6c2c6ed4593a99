/** The accounts of the ledger (docs/spec/billing.md, Ledger). */
export const ledgerAccounts = [
  "receivable",
  "revenue",
  "tax",
  "customer_credit",
  "prepaid",
  "discounts",
  "bad_debt",
  "processor_clearing",
  "cash",
  "refunds",
  "rounding",
] as const;
export type LedgerAccount = (typeof ledgerAccounts)[number];

export const ledgerStates = ["pending", "posted", "voided"] as const;
export type LedgerState = (typeof ledgerStates)[number];

/** One side of a transaction. Debits are positive, credits negative. */
export type Posting = { account: LedgerAccount; currency: string; amount: bigint };

/** The kind of event. For each source, each kind is posted at most once. */
export type LedgerKind =
  | "invoice.finalized"
  | "invoice.voided"
  | "invoice.uncollectible"
  | "invoice.recovered"
  | "credit_note.created"
  | "payment"
  | "overpayment"
  | "refund"
  | "credit.granted"
  | "credit.expired";

export type LedgerSource = { type: "invoice" | "credit_note" | "payment" | "refund" | "credit_grant"; id: string };
