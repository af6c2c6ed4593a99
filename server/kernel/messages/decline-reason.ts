import type { Translator } from "./translator.ts";

const knownDeclines = [
  "declined_by_payer",
  "not_submitted",
  "insufficient_funds",
  "generic_decline",
  "do_not_honor",
  "expired_card",
  "lost_card",
  "stolen_card",
] as const;

/** Why a payment was declined, by the processor's code. A clause that begins with a small letter: `the bank declined it`. */
export const declineReason = (code: string | null, t: Translator<"activity">): string => {
  if (code === null) return t("declines.none");
  const known = knownDeclines.find((name) => name === code);
  return known ? t(`declines.${known}`) : t("declines.other", { code: code.replaceAll("_", " ") });
};
