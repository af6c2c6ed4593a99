import { currencyExponent } from "../../../kernel/money/money.ts";
import { parseExact } from "../../rules/exact/exact.ts";
import { taxOnNet } from "../../rules/invoice/taxes.ts";
import type { IssuedInvoice } from "../issued-invoice.ts";
import { vatIdentifier } from "./vat-identifier.ts";

/** Why a document can't be expressed in the core model of EN 16931, as a sentence. @returns null if it can */
export const findUblProblem = (document: IssuedInvoice): string | null => {
  const { invoice, customer, isTest } = document;
  const { currency, lines } = invoice;
  // BR-DEC-01 and following
  if (currencyExponent(currency) > 2)
    return unavailable(`${currency} has more than the two decimals that EN 16931 allows`);
  // BR-11
  if (customer.country === null && !isTest) return unavailable("the merchant's country is unknown");
  // BR-O-11, BR-O-12
  if (new Set(lines.map(({ tax }) => tax.category === "O")).size > 1)
    return unavailable("it has both lines with VAT and lines outside the scope of VAT, which EN 16931 doesn't allow");
  return vatNumberProblem(document) ?? roundingProblem(document);
};

const unavailable = (reason: string): string =>
  `This document isn't available as an e-invoice (UBL), because ${reason}.`;

/** Reverse charge and intra-community supplies name the customer's VAT number (BR-AE-02, BR-IC-02). */
const namesCustomer = ["AE", "K"];

const vatNumberProblem = ({ invoice, issuer, customer }: IssuedInvoice): string | null => {
  const categories = invoice.lines.map(({ tax }) => tax.category);
  // BR-S-02, BR-Z-02, BR-E-02, BR-AE-02, BR-IC-02, BR-G-02, BR-AF-02, BR-AG-02
  if (vatIdentifier(issuer.vatNumber) === null && categories.some((category) => category !== "O"))
    return unavailable("Paygrant's VAT number is missing or doesn't start with a country code");
  if (vatIdentifier(customer.vatNumber) === null && categories.some((category) => namesCustomer.includes(category)))
    return unavailable(
      "the merchant's VAT number was missing or didn't start with a country code at the time of issue",
    );
  return null;
};

/**
 * The tax of a credit note is a difference of rounded taxes. In a currency without decimals, it can differ by a whole
 * unit from the tax on the note's own net amount. BR-CO-17 and BR-S-09 don't allow this.
 */
const roundingProblem = ({ invoice: { taxes, currency } }: IssuedInvoice): string | null => {
  const toHundredths = 10n ** BigInt(2 - currencyExponent(currency));
  const isFar = taxes.some(({ base, amount, rate }) => {
    const difference = BigInt(amount) * toHundredths - taxOnNet(BigInt(base) * toHundredths, parseExact(rate));
    return difference >= 100n || difference <= -100n;
  });
  return isFar
    ? unavailable(`the tax in ${currency} is rounded, and differs from the exact tax by more than EN 16931 allows`)
    : null;
};
