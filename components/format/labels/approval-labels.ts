import { declineReasonForPayer } from "#server/kernel/messages/decline-reason.ts";
import type { Translator } from "#server/kernel/messages/translator.ts";
import type { WalletApproval, WalletApprovalDetail, WalletMandate } from "#server/trpc/wallet/views.ts";
import type { NoticeTone } from "../../ui/notice.tsx";
import { formatAmount } from "../money.ts";
import type { Reader } from "../reader.ts";
import type { ActivityTexts } from "./charge-labels.ts";

export type ApprovalTexts = Translator<"approvals">;

/** Whether the payer can still act: approve it here, or confirm it at their bank. */
export const isApprovalOpen = ({
  approvalState,
  bankUrl,
}: Pick<WalletApproval, "approvalState" | "bankUrl">): boolean => approvalState === "waiting" || bankUrl !== null;

export const approvalTitle = (approval: WalletApproval, reader: Reader, t: ApprovalTexts): string =>
  t(isApprovalOpen(approval) ? "asks" : "asked", {
    merchant: approval.merchant.name,
    amount: formatAmount(approval.amountMinor, approval.currency, reader),
  });

export type ApprovalOutcome = { tone: NoticeTone; text: string };
type Texts = { approvals: ApprovalTexts; activity: ActivityTexts };

/** The outcome so far; null while the payment needs the payer's decision. */
export const approvalOutcome = (
  approval: WalletApproval,
  mandate: Pick<WalletMandate, "state">,
  { approvals: t, activity }: Texts,
): ApprovalOutcome | null => {
  const merchant = approval.merchant.name;
  switch (approval.approvalState) {
    case "waiting":
      return null;
    case "declined":
      return { tone: "note", text: t("outcomes.declined", { merchant }) };
    case "expired":
      return { tone: "note", text: t("outcomes.expired") };
    case "withdrawn":
      // After the mandate has ended, it isn't known whether the merchant or this end canceled the payment.
      return {
        tone: "note",
        text: mandate.state === "revoked" ? t("outcomes.canceled") : t("outcomes.withdrawn", { merchant }),
      };
    case "approved":
      return approvedOutcome(approval, { approvals: t, activity });
    case null:
      // A payment that was confirmed at the last moment may still be paid. The bank decides.
      return approval.hasExpiredAtBank
        ? { tone: "note", text: t("outcomes.bankExpired") }
        : { tone: "warn", text: t("outcomes.bank") };
  }
};

const approvedOutcome = (
  { state, merchant, declineCode, hasExpiredAtBank }: WalletApproval,
  { approvals: t, activity }: Texts,
): ApprovalOutcome => {
  switch (state) {
    case "succeeded":
    case "captured":
      return { tone: "good", text: t("outcomes.paid") };
    case "authorized":
      return { tone: "good", text: t("outcomes.authorized", { merchant: merchant.name }) };
    case "submitted":
    case "processing":
    case "unknown":
      return { tone: "note", text: t("outcomes.inProgress") };
    case "requires_action":
      return hasExpiredAtBank
        ? { tone: "note", text: t("outcomes.bankExpired") }
        : { tone: "warn", text: t("outcomes.bankToo") };
    case "declined":
      return {
        tone: "bad",
        text: t("outcomes.bankDeclined", { reason: declineReasonForPayer(declineCode, activity) }),
      };
    case "voided":
    case "expired":
      return { tone: "note", text: t("outcomes.canceledLater") };
    default:
      return { tone: "note", text: t("outcomes.later") };
  }
};

type BlockerFacts = Pick<WalletApprovalDetail, "merchant" | "paymentMethod" | "isMerchantInactive">;

/** Why the payment can't be approved now; null if it can. */
export const approvalBlocker = (
  { merchant, paymentMethod, isMerchantInactive }: BlockerFacts,
  { state, suspendedBy }: Pick<WalletMandate, "state" | "suspendedBy">,
  t: ApprovalTexts,
): string | null => {
  if (state === "suspended") {
    return t(suspendedBy.every((kind) => kind === "payer") ? "blockers.paused" : "blockers.suspended");
  }
  if (state !== "active") return t("blockers.ended");
  if (isMerchantInactive) return t("blockers.merchant", { merchant: merchant.name });
  return paymentMethod === null || paymentMethod.isRemoved ? t("blockers.method") : null;
};
