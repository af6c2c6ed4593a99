import { smaller } from "../../../kernel/money/smaller.ts";
import { applyPrepaid } from "./apply-prepaid.ts";
import type { ComputedInvoice, InvoiceInput } from "./types.ts";

type Credits = Pick<InvoiceInput, "creditBalance" | "prepaid">;
type Applied = Pick<ComputedInvoice, "creditApplied" | "prepaidApplied" | "amountDue">;

/** Pays a total with the credit balance, then with prepaid and promotional grants. The rest is due. */
export const applyCredits = (total: bigint, { creditBalance, prepaid }: Credits): Applied => {
  const creditApplied = smaller(creditBalance, total);
  const prepaidApplied = applyPrepaid(total - creditApplied, prepaid);
  const amountDue = prepaidApplied.reduce((left, { amount }) => left - amount, total - creditApplied);
  return { creditApplied, prepaidApplied, amountDue };
};
