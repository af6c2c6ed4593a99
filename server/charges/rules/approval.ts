import type { ChargeState } from "./charge-states.ts";

/** Approval state of a payment above `step_up_above`; `withdrawn`: the merchant or a revocation voided the payment. */
export type ApprovalState = "waiting" | "approved" | "declined" | "expired" | "withdrawn";

type WaitingCharge = {
  state: ChargeState;
  approvedAt: Date | null;
  nextAction: { type: string; expires_at: string } | null;
};

/**
 * The `type` of `next_action` while the payer has to approve. For the processor's own authentication it is `redirect`.
 */
export const approvalAction = "payer_approval";

/**
 * Maximum number of mails to a mandate's payer within an hour. Further approvals appear only in the wallet. Otherwise a
 * merchant could fill a mailbox and hide an important request.
 */
export const approvalMailsAnHour = 5;

/**
 * Maximum number of payments of one merchant that can wait for a mandate's payer. The number is limited because each
 * waiting payment holds budget, and because they are voided one by one when the mandate is revoked.
 */
export const maxWaitingPayments = 20;

/**
 * @returns null for a charge that never needed the payer's approval. A waiting charge expires by the clock, even if the
 *   expiry isn't recorded yet.
 */
export const approvalStateOf = ({ state, approvedAt, nextAction }: WaitingCharge, now: Date): ApprovalState | null => {
  if (approvedAt) return "approved";
  if (nextAction?.type !== approvalAction) return null;
  switch (state) {
    case "requires_action":
      return new Date(nextAction.expires_at) <= now ? "expired" : "waiting";
    case "declined":
      return "declined";
    case "expired":
      return "expired";
    case "voided":
      return "withdrawn";
    default:
      // The charge was sent without the payer's approval. No statement permits this, and check:invariants would report
      // it.
      return null;
  }
};

/**
 * The state of the processor's own authentication of the payer (3-D Secure). `lapsed`: the time is over, and the
 * payment is about to be voided at the processor. @returns null if the charge doesn't wait for this authentication.
 */
export const bankConfirmation = ({ state, nextAction }: WaitingCharge, now: Date): "waiting" | "lapsed" | null => {
  if (state !== "requires_action" || nextAction === null || nextAction.type === approvalAction) return null;
  return new Date(nextAction.expires_at) <= now ? "lapsed" : "waiting";
};
