/**
 * Stripe's currencies and their units, which sometimes differ from ISO 4217 (docs.stripe.com/currencies). UGX is listed
 * there both as a currency without decimals and, among the special cases, with two. The difference is a factor of a
 * hundred, which must not be guessed, so UGX isn't supported.
 */
const twoDecimals =
  "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BWP BYN BZD CAD CDF CHF CNY COP CRC CVE CZK DKK DOP DZD EGP ETB EUR FJD FKP GBP GEL GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR JMD KES KGS KHR KYD KZT LAK LBP LKR LRD LSL MAD MDL MKD MMK MNT MOP MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SEK SGD SHP SLE SOS SRD SZL THB TJS TOP TRY TTD TWD TZS UAH USD UYU UZS WST XCD XCG YER ZAR ZMW";
const noDecimals = "BIF CLP DJF GNF JPY KMF KRW PYG RWF VND VUV XAF XOF XPF";
/** Three decimals; the last must be 0. */
const threeDecimals = "BHD JOD KWD OMR TND";

export const stripeCurrencies: readonly string[] = `${twoDecimals} ${noDecimals} ${threeDecimals} ISK MGA`
  .split(" ")
  .sort();

/** The step of each currency: amounts in ISO's minor unit must be a multiple of it. The default is 1. */
export const stripeAmountSteps: Readonly<Record<string, bigint>> = {
  ...Object.fromEntries(threeDecimals.split(" ").map((currency) => [currency, 10n])),
  // Two decimals by ISO 4217, none at Stripe.
  MGA: 100n,
};

/** Converts from Stripe's unit to ours. @throws RangeError for an unsupported currency. */
export const fromStripeUnits = (units: number, currency: string): bigint => {
  if (!stripeCurrencies.includes(currency)) throw new RangeError(`Stripe's unit of ${currency} is not known`);
  if (currency === "ISK") return BigInt(units) / 100n;
  return currency === "MGA" ? BigInt(units) * 100n : BigInt(units);
};

/** @returns the amount in Stripe's unit. @throws RangeError if Stripe can't represent it. */
export const toStripeUnits = (amountMinor: bigint, currency: string): number => {
  const step = stripeAmountSteps[currency] ?? 1n;
  if (!stripeCurrencies.includes(currency) || amountMinor % step !== 0n) {
    throw new RangeError(`Stripe can't represent ${amountMinor} of ${currency}`);
  }
  // No decimals by ISO 4217, two at Stripe, always 00.
  if (currency === "ISK") return Number(amountMinor * 100n);
  return Number(currency === "MGA" ? amountMinor / step : amountMinor);
};
