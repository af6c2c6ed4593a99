/** Adding a payment method on the consent page. The names of test cards are in `payment-methods`. */
export const consentMethod = {
  needed: "Add a payment method to approve this request. Your entries are kept, and nothing is charged now.",
  another: "Add another payment method",
  testCard: "Test card",
  testCardHint: "Test cards move no real money.",
  add: "Add card",
  addAtStripe: "Add a card at Stripe",
  unavailable: "No payment method can be added here at the moment.",
  pending: "Stripe hasn’t confirmed your card yet. Reload this page in a minute.",
  ended: "No card was added. You can try again.",
  tooMany:
    "You have too many payment methods, or you started to add a card too often. Remove a payment method in your wallet, or try again later.",
  failed: "The card couldn’t be added. Try again in a minute.",
} as const;
