import type { Simulation } from "#server/processors/simulator/server/behaviour.ts";

/** The effect of each value of `metadata.simulate`. The compiler reports a missing value. */
export const simulationMeanings: Readonly<Record<Simulation, string>> = {
  "decline:<decline_code>":
    "The charge is declined with the given code, for example `decline:insufficient_funds`. The response is 402, `card_declined`.",
  requires_action:
    "The payer must confirm the charge at their bank. The response is 202, `requires_action` with `next_action`.",
  timeout_before_accept:
    "The processor doesn’t respond and makes no payment. The charge is `unknown` until look-ups find no payment, then `declined` with `not_submitted`.",
  timeout_after_accept:
    "The processor makes the payment and doesn’t respond. The charge is `unknown` until a look-up finds the payment. The processor’s event is 30 s late.",
  error_once: "The processor responds to the first call with 500 and accepts the payment when the call is repeated.",
  webhook_late: "The charge succeeds. The processor’s event is 30 s late.",
  webhook_lost: "The charge succeeds. The processor’s event is never sent.",
  webhook_twice: "The charge succeeds. The processor’s event is sent twice.",
  webhook_out_of_order: "The charge succeeds. The processor’s events arrive in the wrong order.",
  webhook_before_response: "The charge succeeds. The processor’s event arrives before its response.",
};

/** The demo payer's payment methods (prisma/seed/people.ts). Both succeed. */
export const demoPaymentMethods: readonly (readonly [name: string, label: string])[] = [
  ["pm_card_visa", "Visa ending in 4242"],
  ["pm_card_mastercard", "Mastercard ending in 4444"],
];

/** Payment methods of the simulator, with Stripe’s names of test payment methods. */
export const testPaymentMethods: readonly (readonly [names: string, meaning: string])[] = [
  ["`pm_card_visa`, `pm_card_mastercard`, `pm_card_amex` …", "Succeeds"],
  ["`pm_card_chargeDeclined`", "Declined: `generic_decline`"],
  ["`pm_card_chargeDeclinedInsufficientFunds`", "Declined: `insufficient_funds`"],
  ["`pm_card_chargeDeclinedLostCard`, `…StolenCard`, `…ExpiredCard`, `…IncorrectCvc`", "Declined with that code"],
  ["`pm_card_chargeDeclinedProcessingError`, `…Fraudulent`", "Declined with that code"],
  [
    "`pm_card_authenticationRequired`, `pm_card_threeDSecure2Required`",
    "With `in_session`, the payer must confirm. With `off_session`, the charge is declined: `authentication_required`",
  ],
  ["`pm_card_createDispute`", "Succeeds, and the payer’s bank opens a dispute"],
  ["`pm_card_refundFail`", "Succeeds, but refunds fail"],
];
