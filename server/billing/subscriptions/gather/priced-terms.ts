import { chargesMeter } from "../../rules/plans/meters.ts";
import type { CurrencyTerms, PlanTerms } from "../../rules/plans/terms.ts";

/**
 * The prices of a plan in a currency: all prices in the subscription's currency, and only the price of charges in other
 * currencies. Null if the plan doesn't price the currency.
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
