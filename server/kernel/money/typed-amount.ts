import type { Translator } from "../messages/translator.ts";
import { currencyExponent, formatMoney, type Money, maxAmountMinor, toDecimal } from "./money.ts";

/** An amount in minor units, or the reason why the text isn't an amount. An ambiguous text has two readings. */
export type TypedAmount =
  | { kind: "amount"; amountMinor: bigint }
  | { kind: "ambiguous"; text: string; readings: readonly [bigint, bigint] }
  | { kind: "empty" | "malformed" | "decimals" | "zero" | "too_large" };

type AmountProblem = Exclude<TypedAmount, { kind: "amount" }>;

/** The separators and the group size that a locale uses for amounts in a currency. */
type Convention = { decimal: "." | ","; group: "." | ","; secondGroupSize: number };

const conventionOf = (locale: string, currency: string): Convention => {
  const format = new Intl.NumberFormat(locale, { style: "currency", currency, numberingSystem: "latn" });
  const parts = format.formatToParts(10_000_000.5);
  const decimal = parts.find(({ type }) => type === "decimal")?.value ?? decimalWithoutFraction(locale);
  const groups = parts.filter(({ type }) => type === "integer");
  return {
    ...(decimal === "," ? ({ decimal: ",", group: "." } as const) : ({ decimal: ".", group: "," } as const)),
    secondGroupSize: groups.length > 2 ? (groups[1]?.value.length ?? 3) : 3,
  };
};

/**
 * The locale's decimal separator. Needed for a currency without decimals, because none of its formatted amounts
 * contains the separator.
 */
const decimalWithoutFraction = (locale: string): string | undefined =>
  new Intl.NumberFormat(locale, { numberingSystem: "latn" }).formatToParts(0.5).find(({ type }) => type === "decimal")
    ?.value;

type Digits = { whole: string; fraction: string };

/**
 * Reads digits with or without group separators. Many locales separate groups with spaces or apostrophes, and no locale
 * uses them as the decimal separator. So these characters separate groups for every reader. A grouped number doesn't
 * start with zero.
 */
const readDigits = (text: string, { decimal, group, secondGroupSize: size }: Convention): Digits | null => {
  const inThrees = `[1-9]\\d{0,2}(?:([${group} '])\\d{3})(?:\\2\\d{3})*`;
  const bySecondSize = `[1-9]\\d{0,${size - 1}}(?:[${group}]\\d{${size}})*[${group}]\\d{3}`;
  const match = new RegExp(`^(\\d+|${inThrees}|${bySecondSize})(?:[${decimal}](\\d+))?$`).exec(text);
  return match ? { whole: (match[1] ?? "").replace(/\D/g, ""), fraction: match[3] ?? "" } : null;
};

const toMinor = ({ whole, fraction }: Digits, decimals: number): bigint | null =>
  fraction.length > decimals ? null : BigInt(whole + fraction.padEnd(decimals, "0"));

/**
 * A text with decimals in the reader's own convention is read only by that convention. Other texts are read by two
 * conventions: the reader's own, and the one with the separators swapped. If both can read the text, their results must
 * be equal: `1,250` in KWD could be 1250 or 1.25, so it is refused.
 */
const readMinor = (text: string, own: Convention, decimals: number): TypedAmount => {
  const mine = readDigits(text, own);
  const swapped = readDigits(text, { decimal: own.group, group: own.decimal, secondGroupSize: 3 });
  if (!mine && !swapped) return { kind: "malformed" };
  const digits = mine && mine.fraction !== "" ? [mine] : [mine, swapped];
  const [one, other] = new Set(digits.flatMap((found) => (found ? (toMinor(found, decimals) ?? []) : [])));
  if (one === undefined) return { kind: "decimals" };
  if (other !== undefined) return { kind: "ambiguous", text, readings: [one, other] };
  if (one === 0n) return { kind: "zero" };
  return one > maxAmountMinor ? { kind: "too_large" } : { kind: "amount", amountMinor: one };
};

/** Longer than any amount with currency and separators. */
const maxTextLength = 40;

/**
 * Removes the currency's code or symbol on either side, and replaces other spaces and apostrophes with
 * the ASCII ones.
 */
const bareNumber = (text: string, currency: string, locale: string): string => {
  const symbol = new Intl.NumberFormat(locale, { style: "currency", currency })
    .formatToParts(0)
    .find(({ type }) => type === "currency")?.value;
  let bare = text.trim();
  for (const name of [currency, symbol ?? currency]) {
    if (bare.startsWith(name)) bare = bare.slice(name.length);
    else if (bare.endsWith(name)) bare = bare.slice(0, -name.length);
  }
  return plainSeparators(bare);
};

const plainSeparators = (text: string): string => text.trim().replace(/\s/g, " ").replaceAll("\u2019", "'");

/** Reads an amount that a person typed. Nothing is rounded, and an ambiguous text is refused. */
export const parseTypedAmount = (text: string, currency: string, locale: string): TypedAmount => {
  if (text.trim() === "") return { kind: "empty" };
  if (text.length > maxTextLength) return { kind: "malformed" };
  return readMinor(bareNumber(text, currency, locale), conventionOf(locale, currency), currencyExponent(currency));
};

/** Counts are formatted like amounts of a currency without decimals. */
const currencyLikeCounts = "JPY";

/**
 * Reads a count that a person typed, with the thousands separators of any locale. A text with the reader's decimal
 * separator isn't a count: `1.5` and `1.000` in en-GB.
 * @returns null if the text isn't a count.
 */
export const parseTypedCount = (text: string, locale: string): bigint | null => {
  if (text.length > maxTextLength) return null;
  const read = readMinor(plainSeparators(text), conventionOf(locale, currencyLikeCounts), 0);
  if (read.kind === "zero") return 0n;
  return read.kind === "amount" ? read.amountMinor : null;
};

/** The amount as a person would type it: the reader's decimal separator, without groups. */
export const toTypedAmount = (money: Money, locale: string): string =>
  toDecimal(money).replace(".", conventionOf(locale, money.currency).decimal);

/** @returns what is wrong with a typed amount, with a correct example, in the language of the texts. */
export const typedAmountProblem = (
  problem: AmountProblem,
  { currency, locale }: { currency: string; locale: string },
  t: Translator<"amounts">,
): string => {
  const exponent = currencyExponent(currency);
  const example = toTypedAmount({ amountMinor: exponent === 3 ? 25_000n : 2_500n, currency }, locale);
  switch (problem.kind) {
    case "empty":
    case "malformed":
      return t("enter", { example });
    case "zero":
      return t("zero");
    case "too_large":
      return t("tooLarge", { amount: formatMoney({ amountMinor: maxAmountMinor, currency }, locale) });
    case "decimals":
      return exponent === 0
        ? t("noDecimals", { currency, example })
        : t("decimals", { currency, count: String(exponent), example });
    case "ambiguous": {
      const [one, other] = problem.readings.map((amountMinor) => ({ amountMinor, currency })) as [Money, Money];
      return t("ambiguous", {
        text: problem.text,
        one: formatMoney(one, locale),
        other: formatMoney(other, locale),
        typedOne: toTypedAmount(one, locale),
        typedOther: toTypedAmount(other, locale),
      });
    }
  }
};
