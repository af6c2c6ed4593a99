import type { WalletApproval, WalletCharge, WalletMandate } from "#server/trpc/wallet/views.ts";
import { formatDate, formatTime } from "../format/dates.ts";
import { approvalTitle } from "../format/labels/approval-labels.ts";
import { declineReason, formatPartOfCap, isNearLimit, limitLabel } from "../format/labels/mandate-labels.ts";
import { formatAmount } from "../format/money.ts";
import type { Reader } from "../format/reader.ts";
import type { AttentionItem } from "../portal/attention.tsx";

const weekMilliseconds = 7 * 86_400_000;

type MandatePage = { mandates: readonly WalletMandate[]; hasMore: boolean };

type Overview = {
  approvals: readonly WalletApproval[];
  near: MandatePage;
  ending: MandatePage;
  charges: readonly WalletCharge[];
};

/** Payments to approve, limits nearly used up, mandates that end soon and failed payments. */
export const walletAttention = (overview: Overview, now: Date, reader: Reader): AttentionItem[] => [
  ...overview.approvals.map((approval) => approvalItem(approval, reader)),
  ...overview.near.mandates.flatMap((mandate) => nearLimitItems(mandate, reader)),
  ...(overview.near.hasMore ? [moreItem("near", "More mandates are near a limit")] : []),
  ...overview.ending.mandates.map((mandate) => endingItem(mandate, reader)),
  ...(overview.ending.hasMore ? [moreItem("ending", "More mandates end soon")] : []),
  ...overview.charges
    .filter(({ declineCode }) => declineCode !== "declined_by_payer")
    .filter(({ state, createdAt }) => state === "declined" && now.getTime() - Date.parse(createdAt) < weekMilliseconds)
    .slice(0, 3)
    .map((charge) => failureItem(charge, reader)),
];

const approvalItem = (approval: WalletApproval, reader: Reader): AttentionItem => ({
  key: approval.id,
  title: approvalTitle(approval, reader),
  text: `Agent: ${approval.client.name}. ${approval.expiresAt ? `Approve by ${formatTime(new Date(approval.expiresAt), reader)}` : "Approve soon"}, or it expires and nothing is charged.`,
  href: `/wallet/approvals/${approval.id}`,
  verb: approval.bankUrl ? "Continue" : "Review",
});

const nearLimitItems = (mandate: WalletMandate, reader: Reader): AttentionItem[] => {
  const near = mandate.limits.find(isNearLimit);
  if (!near) return [];
  const [left, cap] = formatPartOfCap(near.leftMinor, near, { currency: mandate.currency, reader });
  return [
    {
      key: `near-${mandate.id}`,
      title: `${mandate.client.name} is near a limit`,
      text: `${limitLabel(near)}: ${left} of ${cap} left. Payments above the limit are refused.`,
      href: `/wallet/mandates/${mandate.id}`,
      verb: "See limits",
    },
  ];
};

const endingItem = (mandate: WalletMandate, reader: Reader): AttentionItem => ({
  key: `ends-${mandate.id}`,
  title: `${mandate.client.name} ends soon`,
  text: `It ends on ${formatDate(new Date(mandate.validUntil), reader)}. You don’t need to do anything.`,
  href: `/wallet/mandates/${mandate.id}`,
  verb: "See mandate",
});

const moreItem = (key: string, title: string): AttentionItem => ({
  key,
  title,
  text: "The mandates page shows each mandate with its limits and end date.",
  href: "/wallet/mandates",
  verb: "See mandates",
});

const failureItem = (charge: WalletCharge, reader: Reader): AttentionItem => ({
  key: charge.id,
  title: `A payment of ${formatAmount(charge.amountMinor, charge.currency, reader)} at ${charge.merchant.name} failed`,
  text: `Agent: ${charge.client.name}; ${declineReason(charge.declineCode)}. No money moved.`,
  href: `/wallet/activity?show=failed`,
  verb: "See activity",
});
