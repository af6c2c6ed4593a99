import type { CreditGrantRow, CreditUse } from "../../data/billing/credits/grants.ts";
import { applyPrepaid } from "../rules/invoice/apply-prepaid.ts";
import type { InvoiceInput } from "../rules/invoice/types.ts";

type Credits = Pick<InvoiceInput, "creditBalance"> & { prepaid: readonly InvoiceInput["prepaid"][number][] };

/** The credits that an invoice can use. The credit balance is what remains of all grants of kind `credit_note`. */
export const toCredits = (grants: readonly CreditGrantRow[]): Credits => ({
  creditBalance: grants.reduce((sum, { kind, remaining }) => (kind === "credit_note" ? sum + remaining : sum), 0n),
  prepaid: grants.flatMap(({ kind, ...grant }) => (kind === "credit_note" ? [] : [{ ...grant, kind }])),
});

export type AppliedCredits = { creditApplied: bigint; prepaidApplied: bigint; uses: CreditUse[] };

/**
 * Applies the grants to a total, in the order of docs/spec/billing.md, Arithmetic of invoices: first the grants of the
 * credit balance, oldest first, then prepaid and promotional grants.
 * @param grants oldest first
 */
export const applyCredits = (total: bigint, grants: readonly CreditGrantRow[]): AppliedCredits => {
  const { creditBalance, prepaid } = toCredits(grants);
  const creditApplied = creditBalance < total ? creditBalance : total;
  let left = creditApplied;
  const balanceUses = grants.flatMap(({ id, kind, remaining }) => {
    if (kind !== "credit_note" || left === 0n) return [];
    const amount = remaining < left ? remaining : left;
    left -= amount;
    return [{ id, amount }];
  });
  const prepaidUses = applyPrepaid(total - creditApplied, prepaid);
  const prepaidApplied = prepaidUses.reduce((sum, { amount }) => sum + amount, 0n);
  return { creditApplied, prepaidApplied, uses: [...balanceUses, ...prepaidUses] };
};
