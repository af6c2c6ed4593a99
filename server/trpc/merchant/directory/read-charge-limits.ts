import { type AmountLimit, maxChargeAmountsEdit, sortLimits } from "../../../directory/participants/limits.wire.ts";
import { sentenceRefusal } from "../../../kernel/errors.ts";
import { translator } from "../../../kernel/messages/translator.ts";
import { isCurrency } from "../../../kernel/money/money.ts";
import { parseTypedAmount, typedAmountProblem } from "../../../kernel/money/typed-amount.ts";

const pointer = "/maxChargeAmounts";

/**
 * Reads one currency and amount per line, for example `EUR 2500.00`.
 * @param locale the member's; amounts have its decimal separator
 * @throws DomainError invalid, naming /maxChargeAmounts.
 */
export const readChargeLimits = (text: string, locale: string): AmountLimit[] => {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const limits = lines.map((line) => readLine(line, locale));
  const { error } = maxChargeAmountsEdit.safeParse(limits);
  if (error) throw sentenceRefusal(pointer, `The list ${error.issues[0]?.message ?? "can’t be read"}.`);
  return sortLimits(limits);
};

const readLine = (line: string, locale: string): AmountLimit => {
  const [, currency = "", amount = ""] = /^([A-Z]{3})\s+(.+)$/.exec(line) ?? [];
  if (!isCurrency(currency)) {
    throw sentenceRefusal(pointer, `“${line}” doesn’t start with a currency. Enter for example EUR 2500.00.`);
  }
  const typed = parseTypedAmount(amount, currency, locale);
  if (typed.kind === "amount") return { currency, amount: Number(typed.amountMinor) };
  // The merchant dashboard is in English. The amounts follow the member's locale.
  throw sentenceRefusal(
    pointer,
    `“${line}”: ${typedAmountProblem(typed, { currency, locale }, translator("en", "amounts"))}`,
  );
};
