import type { WalletApproval, WalletApprovalDetail, WalletMandate } from "#server/trpc/wallet/views.ts";
import type { NoticeTone } from "../../ui/notice.tsx";
import { formatAmount } from "../money.ts";
import type { Reader } from "../reader.ts";
import { declineReason } from "./mandate-labels.ts";

/** Whether the payer can still act: approve it here, or confirm it at their bank. */
export const isApprovalOpen = ({
  approvalState,
  bankUrl,
}: Pick<WalletApproval, "approvalState" | "bankUrl">): boolean => approvalState === "waiting" || bankUrl !== null;

export const approvalTitle = (approval: WalletApproval, reader: Reader): string =>
  `${approval.merchant.name} ${isApprovalOpen(approval) ? "asks" : "asked"} for ${formatAmount(approval.amountMinor, approval.currency, reader)}`;

export type ApprovalOutcome = { tone: NoticeTone; text: string };

/** The outcome so far; null while the payment needs the payer's decision. */
export const approvalOutcome = (
  approval: WalletApproval,
  mandate: Pick<WalletMandate, "state">,
): ApprovalOutcome | null => {
  const { merchant } = approval;
  switch (approval.approvalState) {
    case "waiting":
      return null;
    case "declined":
      return { tone: "note", text: `You declined it. Nothing was charged, and ${merchant.name} was notified.` };
    case "expired":
      return { tone: "note", text: "You didn’t approve it within 15 minutes, so it expired. Nothing was charged." };
    case "withdrawn":
      return {
        tone: "note",
        text:
          mandate.state === "revoked"
            ? "The mandate was stopped before you decided. Nothing was charged."
            : `${merchant.name} cancelled it before you decided. Nothing was charged.`,
      };
    case "approved":
      return approvedOutcome(approval);
    case null:
      if (approval.hasExpiredAtBank) return expiredAtBank;
      return {
        tone: "warn",
        text: "Your bank needs to confirm that it’s you. Confirm there to continue the payment.",
      };
  }
};

/** A payment confirmed at the last moment may still be paid: the bank decides. */
const expiredAtBank: ApprovalOutcome = {
  tone: "note",
  text: "The 15 minutes for confirming the payment at your bank are over, so the payment is being cancelled. Activity shows the outcome.",
};

const approvedOutcome = ({ state, merchant, declineCode, hasExpiredAtBank }: WalletApproval): ApprovalOutcome => {
  switch (state) {
    case "succeeded":
    case "captured":
      return { tone: "good", text: "You approved it, and it was paid." };
    case "authorized":
      return {
        tone: "good",
        text: `You approved it. The amount is reserved, and ${merchant.name} collects it later.`,
      };
    case "submitted":
    case "processing":
    case "unknown":
      return {
        tone: "note",
        text: "You approved it, and the payment is in progress. You don’t need to do anything else. Activity shows the outcome.",
      };
    case "requires_action":
      if (hasExpiredAtBank) return expiredAtBank;
      return {
        tone: "warn",
        text: "You approved it. Your bank also needs to confirm that it’s you: confirm there to continue the payment.",
      };
    case "declined":
      return { tone: "bad", text: `You approved it, but ${declineReason(declineCode)}. No money moved.` };
    case "voided":
    case "expired":
      return { tone: "note", text: "You approved it, but it was cancelled before any money moved." };
    default:
      return { tone: "note", text: "You approved it. Activity shows what happened next." };
  }
};

type BlockerFacts = Pick<WalletApprovalDetail, "merchant" | "paymentMethod" | "isMerchantSuspended">;

/** Why the payment can't be approved now; null if it can. */
export const approvalBlocker = (
  { merchant, paymentMethod, isMerchantSuspended }: BlockerFacts,
  { state, suspendedBy }: Pick<WalletMandate, "state" | "suspendedBy">,
): string | null => {
  if (state === "suspended") {
    return suspendedBy.every((kind) => kind === "payer")
      ? "The mandate is paused, so nothing can be charged. Resume it, then approve the payment here."
      : "Paygrant has suspended the mandate, so nothing can be charged for now.";
  }
  if (state !== "active") return "The mandate has ended, so nothing can be charged any more.";
  if (isMerchantSuspended) return `${merchant.name} can’t take new payments for now.`;
  if (paymentMethod === null || paymentMethod.isRemoved) {
    return "The payment method of this payment was removed. Decline it, then ask the merchant to request it again.";
  }
  return null;
};
