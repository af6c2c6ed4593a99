import { type Exact, exactUnit, multiplyRatio } from "../exact/exact.ts";
import type { TaxRate } from "../plans/terms.ts";
import type { SupplyTax } from "./types.ts";

const hundred = 100n * exactUnit;

/** Converts an amount of a supply to the tax behaviour of the invoice. The result includes tax if its prices do. */
export const toInvoicePrices = (exact: Exact, supply: SupplyTax, invoice: SupplyTax): Exact => {
  if (supply.behaviour === invoice.behaviour) return exact;
  const withTax = hundred + supply.rate;
  return supply.behaviour === "exclusive"
    ? multiplyRatio(exact, withTax, hundred)
    : multiplyRatio(exact, hundred, withTax);
};

export const rateOf = ({ category, rate }: SupplyTax): TaxRate => ({ category, rate });
