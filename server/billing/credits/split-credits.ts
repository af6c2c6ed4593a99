import type { CreditGrantRow, CreditUse } from "../../data/billing/credits/grants.ts";
import { smaller } from "../../kernel/money/smaller.ts";
import type { ComputedInvoice, InvoiceInput } from "../rules/invoice/types.ts";

type Credits = Pick<InvoiceInput, "creditBalance"> & { prepaid: readonly InvoiceInput["prepaid"][number][] };

/** The credits that an invoice can use. The credit balance is what remains of all grants of kind `credit_note`. */
export const toCredits = (grants: readonly CreditGrantRow[]): Credits => ({
  creditBalance: grants.reduce((sum, { kind, remaining }) => (kind === "credit_note" ? sum + remaining : sum), 0n),
  prepaid: grants.flatMap(({ kind, ...grant }) => (kind === "credit_note" ? [] : [{ ...grant, kind }])),
});

type Applied = Pick<ComputedInvoice, "creditApplied" | "prepaidApplied">;

/**
 * The amount that an invoice uses of each grant. For the credit balance, the oldest grants are used first.
 * @param grants oldest first
 */
export const splitCredits = (
  { creditApplied, prepaidApplied }: Applied,
  grants: readonly CreditGrantRow[],
): CreditUse[] => {
  let left = creditApplied;
  const balanceUses = grants.flatMap(({ id, kind, remaining }) => {
    if (kind !== "credit_note" || left === 0n) return [];
    const amount = smaller(remaining, left);
    left -= amount;
    return [{ id, amount }];
  });
  return [...balanceUses, ...prepaidApplied];
};
