import { currencyExponent } from "../../../kernel/money/money.ts";
import type { IssuedInvoice } from "../issued-invoice.ts";

/** Why a document can't be expressed in the core model of EN 16931, as a sentence. @returns null if it can */
export const findUblProblem = ({ invoice, customer, isTest }: IssuedInvoice): string | null => {
  const { currency, lines } = invoice;
  // BR-DEC-01 and following
  if (currencyExponent(currency) > 2)
    return `UBL is not available in ${currency}: EN 16931 allows at most two decimals.`;
  // BR-11
  if (customer.country === null && !isTest) return "UBL is not available: the customer's country is unknown.";
  // BR-O-11, BR-O-12
  if (new Set(lines.map(({ tax }) => tax.category === "O")).size > 1)
    return "UBL is not available: EN 16931 doesn't allow lines with VAT beside lines outside the scope of VAT.";
  return null;
};
