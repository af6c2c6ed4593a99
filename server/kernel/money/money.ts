/**
 * Money is an integer of the currency's minor unit (ISO 4217:2015, list one of 2024-06-25) as a bigint. Fund codes
 * (BOV, CHE, CHW, CLF, COU, MXV, USN, UYI, UYW), metals, XDR, XSU, XUA, XTS and XXX aren't supported.
 */
const exponentGroups: Readonly<Record<number, string>> = {
  0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF",
  2: "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG",
  3: "BHD IQD JOD KWD LYD OMR TND",
};

const exponents: ReadonlyMap<string, number> = new Map(
  Object.entries(exponentGroups).flatMap(([exponent, codes]) =>
    codes.split(" ").map((code): [string, number] => [code, Number(exponent)]),
  ),
);

export type Money = { amountMinor: bigint; currency: string };

/** Maximum of an amount on the wire; the minimum is 1. */
export const maxAmountMinor = 99_999_999_999n;

export const currencies: readonly string[] = [...exponents.keys()].sort();

export const isCurrency = (code: string): boolean => exponents.has(code);

/** The error text for a value that `isCurrency` refuses. The field's name precedes it. */
export const currencyProblem = "must be a known ISO 4217 currency in upper case, such as EUR";

/** @returns digits after the decimal point. @throws RangeError for an unknown currency. */
export const currencyExponent = (currency: string): number => {
  const exponent = exponents.get(currency);
  if (exponent === undefined) throw new RangeError(`unknown currency ${currency}`);
  return exponent;
};

/** Plain decimal text with the currency's own digits: 1234n EUR is `12.34`, 1234n JPY is `1234`. */
export const toDecimal = ({ amountMinor, currency }: Money): string => {
  const exponent = currencyExponent(currency);
  const sign = amountMinor < 0n ? "-" : "";
  const digits = (amountMinor < 0n ? -amountMinor : amountMinor).toString().padStart(exponent + 1, "0");
  return exponent === 0 ? sign + digits : `${sign}${digits.slice(0, -exponent)}.${digits.slice(-exponent)}`;
};

/** Formats for display: `€12.34` in the reader's locale, with our number of digits instead of Intl's. */
export const formatMoney = (money: Money, locale: string): string => {
  const digits = currencyExponent(money.currency);
  return new Intl.NumberFormat(locale, {
    style: "currency",
    currency: money.currency,
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
    // Exact for any bigint: a decimal string is formatted without conversion to a double (ECMA-402 §16.5.16).
  }).format(toDecimal(money) as `${number}`);
};
