import { chargesMeter } from "../../rules/plans/meters.ts";
import type { CurrencyTerms, PlanTerms } from "../../rules/plans/terms.ts";

/**
 * What a plan prices in a currency: everything in the subscription's currency, and in the plan's other currencies only
 * charges. Null if the plan doesn't price the currency.
 */
export const pricedTerms = (
  { currencies }: PlanTerms,
  { currency, main }: { currency: string; main: string },
): CurrencyTerms | null => {
  const terms = currencies.get(currency);
  if (!terms) return null;
  if (currency === main) return terms;
  const price = terms.prices.get(chargesMeter);
  return { flat: 0n, minimum: 0n, maximum: null, prices: new Map(price ? [[chargesMeter, price]] : []) };
};
