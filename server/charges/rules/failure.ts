import type { ChargeState, Decline } from "./charge-states.ts";

/** Payers get at most one e-mail about failed payments per mandate in this time. */
export const failureMailSeconds = 3_600;

/**
 * Whether the payer can do something about a failed charge. This is true if the bank declined the charge. Otherwise,
 * the payer declined it, or no processor received it and the merchant may send it again.
 */
export const isPayersFailure = ({ state, decline }: { state: ChargeState; decline: Decline | null }): boolean =>
  state === "declined" && decline?.code === "card_declined";
