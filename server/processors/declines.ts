/** Advice for the merchant by decline code; processors use the same codes. */
const known: Readonly<Record<string, { retryable: boolean; advice: string }>> = {
  insufficient_funds: {
    retryable: true,
    advice: "Insufficient funds. Try again later, or ask for another payment method.",
  },
  authentication_required: {
    retryable: true,
    advice: "The bank requires the payer's confirmation. Try again while the payer is present.",
  },
  authentication_failed: { retryable: true, advice: "The payer did not confirm. Ask the payer before you try again." },
  processing_error: { retryable: true, advice: "The processor had an error. Try again in a few minutes." },
  expired_card: { retryable: false, advice: "The card has expired. Ask for another payment method." },
  incorrect_cvc: { retryable: false, advice: "The card details do not match. Ask for another payment method." },
  lost_card: { retryable: false, advice: "The card can't be used. Ask for another payment method." },
  stolen_card: { retryable: false, advice: "The card can't be used. Ask for another payment method." },
  amount_too_small: { retryable: false, advice: "The amount is below the processor's minimum for this currency." },
  amount_too_large: { retryable: false, advice: "The amount is above the processor's maximum for this currency." },
  fraudulent: { retryable: false, advice: "The payment was refused. Do not try again." },
};

const unknown = { retryable: false, advice: "The payment was refused. Ask for another payment method." };

export const declineAdvice = (declineCode: string): { retryable: boolean; advice: string } =>
  known[declineCode] ?? unknown;
