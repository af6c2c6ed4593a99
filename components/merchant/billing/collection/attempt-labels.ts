import type { MerchantInvoiceCollection } from "#server/trpc/merchant/billing/collection/collection-views.ts";
import type { Tone } from "../../../ui/pill.tsx";

type Attempt = MerchantInvoiceCollection["attempts"][number];

export const attemptStates: Readonly<Record<Attempt["state"], { tone: Tone; label: string }>> = {
  processing: { tone: "note", label: "Processing" },
  unknown: { tone: "unknown", label: "Outcome unknown" },
  paid: { tone: "good", label: "Paid" },
  declined: { tone: "bad", label: "Declined" },
  not_submitted: { tone: "neutral", label: "Not submitted" },
};

/** What the merchant, as the payer of the invoice, can do after a decline. */
const declineAdvice: Readonly<Record<string, string>> = {
  insufficient_funds: "The card has insufficient funds. Try again later, or use another card.",
  authentication_required: "The bank requires a confirmation, which is not possible here. Use another card.",
  authentication_failed: "The bank’s confirmation failed. Use another card.",
  processing_error: "The processor had an error. Try again in a few minutes.",
  expired_card: "The card has expired. Use another card.",
  incorrect_cvc: "The card’s security code is wrong. Use another card.",
  lost_card: "The card can’t be used. Use another card.",
  stolen_card: "The card can’t be used. Use another card.",
  amount_too_small: "The amount is below the processor’s minimum for this currency. Contact Paygrant.",
  amount_too_large: "The amount is above the processor’s maximum for this currency. Contact Paygrant.",
  canceled: "The payment was canceled. Try again.",
};

const otherDecline = "The bank declined the payment. Use another card, or ask your bank.";

const texts: Readonly<Record<Exclude<Attempt["state"], "declined">, string>> = {
  processing: "The processor is processing the payment. No other attempt starts until the outcome is known.",
  unknown:
    "The processor hasn’t responded. Paygrant asks it again until the outcome is known. Until then, no other attempt starts.",
  paid: "The payment succeeded.",
  not_submitted: "The payment never reached the processor. Nothing was charged.",
};

export const attemptText = ({ state, declineCode }: Pick<Attempt, "state" | "declineCode">): string =>
  state === "declined" ? (declineAdvice[declineCode ?? ""] ?? otherDecline) : texts[state];
