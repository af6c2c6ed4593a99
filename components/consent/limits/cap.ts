import type { Translator } from "#server/kernel/messages/translator.ts";
import {
  parseTypedAmount,
  parseTypedCount,
  toTypedAmount,
  typedAmountProblem,
} from "#server/kernel/money/typed-amount.ts";
import { formatAmount } from "../../format/money.ts";
import type { LimitUnit } from "../consent-limits.ts";

export type CapTexts = { currency: string; locale: string; t: Translator<"consent-form"> };
type Cap = number | bigint;

/** `€25.00` or `3 payments` */
export const formatCap = (cap: Cap, unit: LimitUnit, { currency, locale, t }: CapTexts): string =>
  unit === "amount" ? formatAmount(cap, currency, { locale }) : t("payments", { count: Number(cap) });

/** The cap as the payer would enter it. */
export const toTypedCap = (cap: Cap, unit: LimitUnit, { currency, locale }: Omit<CapTexts, "t">): string =>
  unit === "amount" ? toTypedAmount({ amountMinor: BigInt(cap), currency }, locale) : String(cap);

type TypedCap = { cap: bigint | null; problem: string | null };

/** Reads the entered cap. An empty text leaves the limit unchanged. The server applies the same rules again. */
export const readTypedCap = (
  text: string,
  { unit, cap }: { unit: LimitUnit; cap: number | null },
  texts: CapTexts & { amounts: Translator<"amounts"> },
): TypedCap => {
  if (text.trim() === "") return { cap: null, problem: null };
  const { t } = texts;
  const typed = unit === "amount" ? readAmount(text, texts) : readCount(text, texts);
  if (typed.cap === null || cap === null || typed.cap <= BigInt(cap)) return typed;
  return { cap: null, problem: t("above", { most: formatCap(cap, unit, texts) }) };
};

const readAmount = (
  text: string,
  { currency, locale, t, amounts }: CapTexts & { amounts: Translator<"amounts"> },
): TypedCap => {
  const typed = parseTypedAmount(text, currency, locale);
  if (typed.kind === "amount") return { cap: typed.amountMinor, problem: null };
  if (typed.kind === "zero") return { cap: null, problem: t("zero") };
  return { cap: null, problem: typedAmountProblem(typed, { currency, locale }, amounts) };
};

const readCount = (text: string, { locale, t }: CapTexts): TypedCap => {
  const typed = parseTypedCount(text, locale);
  if (typed === null) return { cap: null, problem: t("enterCount") };
  return typed === 0n ? { cap: null, problem: t("zeroCount") } : { cap: typed, problem: null };
};
