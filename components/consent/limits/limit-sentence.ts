import type { Translator } from "#server/kernel/messages/translator.ts";
import type { ConsentLimit } from "../consent-limits.ts";
import { type CapTexts, formatCap } from "./cap.ts";

/** A sentence whose value is emphasized. */
export type Sentence = { before: string; value: string; after: string };

/** Marks the value, which is between `<b>` tags in the catalogue. No text contains line breaks. */
const b = (chunks: string): string => `\n${chunks}\n`;

const toSentence = (marked: string): Sentence => {
  const [before = "", value = "", after = ""] = marked.split("\n");
  return { before, value, after };
};

export const plainSentence = ({ before, value, after }: Sentence): string => `${before}${value}${after}`;

/** `At most €50.00 each payment` @param cap null if there is no limit */
export const limitSentence = (
  cap: number | bigint | null,
  { unit, scope }: Pick<ConsentLimit, "unit" | "scope">,
  texts: CapTexts,
): Sentence => {
  const { t } = texts;
  if (cap === null) return toSentence(describeNoLimit({ unit, scope }, t));
  const value = formatCap(cap, unit, texts);
  return toSentence(
    scope === "approval"
      ? t.markup("approvalAbove", { value, b })
      : t.markup("atMost", { value, scope: t(`scopes.${scope}`), b }),
  );
};

const describeNoLimit = (
  { unit, scope }: Pick<ConsentLimit, "unit" | "scope">,
  t: Translator<"consent-form">,
): string => {
  if (scope === "approval") return t.markup("noApproval", { b });
  if (unit === "payments") return t.markup("noCountLimit", { scope: t(`scopes.${scope}`), b });
  if (scope === "payment") return t.markup("noPaymentLimit", { b });
  return t.markup("noLimit", { scope: t(`scopes.${scope}`), b });
};

/** `Ends on 20 February 2027` */
export const endSentence = (value: string, t: Translator<"consent-form">): Sentence =>
  toSentence(t.markup("endsOn", { value, b }));
