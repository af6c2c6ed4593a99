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

/** Payers don't learn these reasons, because the person who pays may be the thief (Stripe, "Decline codes"). */
const confidentialDeclines = ["lost_card", "stolen_card", "pickup_card", "fraudulent", "merchant_blacklist"];

/** As `declineReason`, for a page or e-mail of the payer. */
export const declineReasonForPayer = (code: string | null, t: Translator<"activity">): string => {
  if (code === "declined_by_payer") return t("declines.declined_by_you");
  return declineReason(code !== null && confidentialDeclines.includes(code) ? "generic_decline" : code, t);
};

/** Why a payment was declined, by the processor's code. A clause with a small first letter: `the bank declined it`. */
export const declineReason = (code: string | null, t: Translator<"activity">): string => {
  if (code === null) return t("declines.none");
  const known = knownDeclines.find((name) => name === code);
  return known ? t(`declines.${known}`) : t("declines.other", { code: code.replaceAll("_", " ") });
};
