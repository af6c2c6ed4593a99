import type { WalletApproval, WalletApprovalDetail, WalletMandate } from "#server/trpc/wallet/views.ts";
import type { NoticeTone } from "../../ui/notice.tsx";
import { formatAmount } from "../money.ts";
import type { Reader } from "../reader.ts";
import { declineReason } from "./mandate-labels.ts";

/** Whether it still waits for somebody: for the payer, or for the payer at their bank. */
export const isApprovalOpen = ({ standing, bankUrl }: Pick<WalletApproval, "standing" | "bankUrl">): boolean =>
  standing === "waiting" || bankUrl !== null;

export const approvalTitle = (approval: WalletApproval, reader: Reader): string =>
  `${approval.merchant.name} ${isApprovalOpen(approval) ? "asks" : "asked"} for ${formatAmount(approval.amountMinor, approval.currency, reader)}`;

export type ApprovalOutcome = { tone: NoticeTone; text: string };

/** How it ended, or what goes on; null while it waits for the payer's answer. */
export const approvalOutcome = (
  approval: WalletApproval,
  mandate: Pick<WalletMandate, "state">,
): ApprovalOutcome | null => {
  const { merchant } = approval;
  switch (approval.standing) {
    case "waiting":
      return null;
    case "declined":
      return { tone: "note", text: `You declined it. Nothing was charged, and ${merchant.name} was told.` };
    case "expired":
      return { tone: "note", text: "Nobody approved it within 15 minutes, so it lapsed. Nothing was charged." };
    case "withdrawn":
      return {
        tone: "note",
        text:
          mandate.state === "revoked"
            ? "Its mandate was stopped before you answered. Nothing was charged."
            : `${merchant.name} called it off before you answered. Nothing was charged.`,
      };
    case "approved":
      return approvedOutcome(approval);
    case null:
      if (approval.hasLapsedAtBank) return expiredAtBank;
      return {
        tone: "warn",
        text: "Your bank wants to know that it’s you. Confirm it there, and the payment goes on.",
      };
  }
};

/** What was confirmed at the last moment may still be paid: the bank has the word. */
const expiredAtBank: ApprovalOutcome = {
  tone: "note",
  text: "The 15 minutes to confirm it at your bank are over, so it is being called off. See Activity for how it ends.",
};

const approvedOutcome = ({ state, merchant, declineCode, hasLapsedAtBank }: WalletApproval): ApprovalOutcome => {
  switch (state) {
    case "succeeded":
    case "captured":
      return { tone: "good", text: "You approved it, and it was paid." };
    case "authorized":
      return {
        tone: "good",
        text: `You approved it. The amount is set aside, and ${merchant.name} takes it later.`,
      };
    case "submitted":
    case "processing":
    case "unknown":
      return {
        tone: "note",
        text: "You approved it, and the payment is under way. Nothing more is needed from you; see Activity for how it ends.",
      };
    case "requires_action":
      if (hasLapsedAtBank) return expiredAtBank;
      return {
        tone: "warn",
        text: "You approved it. Your bank wants to know that it’s you, too: confirm it there, and the payment goes on.",
      };
    case "declined":
      return { tone: "bad", text: `You approved it, but ${declineReason(declineCode)}. No money moved.` };
    case "voided":
    case "expired":
      return { tone: "note", text: "You approved it, but it was cancelled before any money moved." };
    default:
      return { tone: "note", text: "You approved it. See Activity for what became of it since." };
  }
};

type BlockerFacts = Pick<WalletApprovalDetail, "merchant" | "paymentMethod" | "isMerchantSuspended">;

/** Why it can't be approved now; null where it can. */
export const approvalBlocker = (
  { merchant, paymentMethod, isMerchantSuspended }: BlockerFacts,
  { state, suspendedBy }: Pick<WalletMandate, "state" | "suspendedBy">,
): string | null => {
  if (state === "suspended") {
    return suspendedBy.every((kind) => kind === "payer")
      ? "The mandate is paused, so nothing can be charged under it. Resume it, then approve the payment here."
      : "Paygrant has suspended the mandate, so nothing can be charged under it for now.";
  }
  if (state !== "active") return "The mandate has ended, so nothing can be charged under it any more.";
  if (isMerchantSuspended) return `${merchant.name} may not take new payments for now.`;
  if (paymentMethod === null || paymentMethod.isRemoved) {
    return "The payment method that it was asked for on is gone. Decline it, and let it be asked for again.";
  }
  return null;
};
