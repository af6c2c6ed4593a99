import type { ChargeState } from "./charge-states.ts";

/** How a payment above `step_up_above` stands with the payer; `withdrawn`: the merchant or a revocation came first. */
export type ApprovalState = "waiting" | "approved" | "declined" | "expired" | "withdrawn";

type Asked = {
  state: ChargeState;
  approvedAt: Date | null;
  nextAction: { type: string; expires_at: string } | null;
};

/** What `next_action` says while the payer has to approve; the processor's own question is a `redirect`. */
export const approvalAction = "payer_approval";

/**
 * So many mails ask a mandate's payer within an hour; further questions stand in the wallet alone. Who may charge could
 * else fill a mailbox, and bury the one question that matters.
 */
export const approvalMailsAnHour = 5;

/**
 * So many payments of one merchant may wait for a mandate's payer at once: what waits holds budget, and is voided one by
 * one when the mandate ends.
 */
export const mostWaiting = 20;

/** @returns null for a charge that never needed the payer's word. It lapses by the clock, whoever has written that down yet. */
export const approvalStateOf = ({ state, approvedAt, nextAction }: Asked, now: Date): ApprovalState | null => {
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
      // Sent without a word of the payer: no statement does that, and the invariants look for it.
      return null;
  }
};

/**
 * How a payment stands that its processor asks the payer for itself (3-D Secure). `lapsed`: the time is over, and the
 * processor is about to be told so. @returns null where it asks for nothing, or no more.
 */
export const bankConfirmation = ({ state, nextAction }: Asked, now: Date): "waiting" | "lapsed" | null => {
  if (state !== "requires_action" || nextAction === null || nextAction.type === approvalAction) return null;
  return new Date(nextAction.expires_at) <= now ? "lapsed" : "waiting";
};
