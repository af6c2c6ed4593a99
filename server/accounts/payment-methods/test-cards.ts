/** A card of the simulator. `ref`: Stripe's name for the test method. `label`: the text that payers see. */
type TestCard = { ref: string; label: string };

/** The test cards that payers can add, named after their effect (docs/spec/portal.md, Payment methods). */
export const testCards = {
  visa: { ref: "pm_card_visa", label: "Visa ending in 4242" },
  mastercard: { ref: "pm_card_mastercard", label: "Mastercard ending in 4444" },
  american_express: { ref: "pm_card_amex", label: "American Express ending in 8431" },
  declined: { ref: "pm_card_chargeDeclined", label: "Visa ending in 0002" },
  insufficient_funds: { ref: "pm_card_chargeDeclinedInsufficientFunds", label: "Visa ending in 9995" },
  authentication_required: { ref: "pm_card_authenticationRequired", label: "Visa ending in 3184" },
  dispute: { ref: "pm_card_createDispute", label: "Visa ending in 0259" },
  refund_fails: { ref: "pm_card_refundFail", label: "Visa ending in 5126" },
} as const satisfies Readonly<Record<string, TestCard>>;

export type TestCardName = keyof typeof testCards;

/** The test cards for invoices. Two cards are left out: their dispute or failed refund comes only after the payment. */
export const billingTestCards = [
  "visa",
  "mastercard",
  "american_express",
  "declined",
  "insufficient_funds",
  "authentication_required",
] as const satisfies readonly TestCardName[];

export const testCardNames = Object.keys(testCards) as [TestCardName, ...TestCardName[]];
