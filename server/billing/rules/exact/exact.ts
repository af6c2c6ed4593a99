/**
 * An exact amount of money in units of 10^-12 of the minor unit. Results with more digits are rounded half to even to
 * 12 fraction digits (docs/spec/billing.md, Amounts).
 */
export type Exact = bigint;

const fractionDigits = 12;
/** One minor unit as an `Exact`. */
export const exactUnit = 10n ** BigInt(fractionDigits);

const decimal = /^-?\d{1,18}(\.\d{1,12})?$/;

/**
 * @param text in minor units, for example `0.8`. @throws RangeError if it isn't a decimal with at most 18 digits before
 *   the point and 12 after it.
 */
export const parseExact = (text: string): Exact => {
  if (!decimal.test(text)) throw new RangeError(`${JSON.stringify(text)} is not an exact amount`);
  const [whole = "", fraction = ""] = text.replace("-", "").split(".");
  const units = BigInt(whole + fraction.padEnd(fractionDigits, "0"));
  return text.startsWith("-") ? -units : units;
};

/** Decimal text in minor units, without an exponent or trailing zeros. */
export const formatExact = (exact: Exact): string => {
  const digits = magnitude(exact)
    .toString()
    .padStart(fractionDigits + 1, "0");
  const fraction = digits.slice(-fractionDigits).replace(/0+$/, "");
  const whole = digits.slice(0, -fractionDigits);
  return `${exact < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
};

export const toExact = (amountMinor: bigint): Exact => amountMinor * exactUnit;

/** A line's amount: rounded once, half to even. */
export const roundToMinor = (exact: Exact): bigint => divideHalfEven(exact, exactUnit);

/** @param denominator greater than zero */
export const multiplyRatio = (exact: Exact, numerator: bigint, denominator: bigint): Exact =>
  divideHalfEven(exact * numerator, denominator);

/** The quotient, rounded half to even. @param divisor greater than zero */
export const divideHalfEven = (dividend: bigint, divisor: bigint): bigint => {
  if (divisor <= 0n) throw new RangeError("the divisor must be greater than zero");
  const quotient = magnitude(dividend) / divisor;
  const twice = 2n * (magnitude(dividend) % divisor);
  const isUp = twice > divisor || (twice === divisor && quotient % 2n === 1n);
  const rounded = isUp ? quotient + 1n : quotient;
  return dividend < 0n ? -rounded : rounded;
};

const magnitude = (value: bigint): bigint => (value < 0n ? -value : value);
