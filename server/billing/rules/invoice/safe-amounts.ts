import { DomainError } from "../../../kernel/errors.ts";
import type { ComputedInvoice } from "./types.ts";

const isSafe = (amountMinor: bigint): boolean => Number.isSafeInteger(Number(amountMinor));

/** Whether JSON numbers represent each amount of an invoice exactly. All of them are integers in minor units. */
export const hasSafeAmounts = (invoice: ComputedInvoice): boolean => {
  const { lines, discounts, taxes, subtotal, discount, tax, total, toCreditBalance } = invoice;
  return [
    subtotal,
    discount,
    tax,
    total,
    toCreditBalance,
    ...lines.flatMap((line) => [line.amount, line.discount, line.net]),
    ...discounts.map(({ amount }) => amount),
    ...taxes.flatMap(({ base, amount }) => [base, amount]),
  ].every(isSafe);
};

export const invoiceTooLarge = (): DomainError =>
  new DomainError("unprocessable", {
    code: "invoice_too_large",
    message: `An amount of the invoice exceeds ${Number.MAX_SAFE_INTEGER} minor units. The plan’s prices are too high for this usage.`,
  });
