import { declineReasonForPayer } from "#server/kernel/messages/decline-reason.ts";
import { translator } from "#server/kernel/messages/translator.ts";
import type { WalletApproval, WalletCharge, WalletMandate } from "#server/trpc/wallet/views.ts";
import { formatEndDay, formatTime } from "../format/dates.ts";
import { approvalTitle } from "../format/labels/approval-labels.ts";
import { formatPartOfCap, isNearLimit, limitLabel } from "../format/labels/mandate-labels.ts";
import { formatAmount } from "../format/money.ts";
import type { Reader } from "../format/reader.ts";
import type { AttentionItem } from "../portal/attention.tsx";

const weekMilliseconds = 7 * 86_400_000;
const maxFailures = 3;

/** Failed payments need attention for a week. */
export const failuresSince = (now: Date): Date => new Date(now.getTime() - weekMilliseconds);

type MandatePage = { mandates: readonly WalletMandate[]; hasMore: boolean };

type Overview = {
  approvals: readonly WalletApproval[];
  near: MandatePage;
  ending: MandatePage;
  /** since `failuresSince`, newest first */
  failed: readonly WalletCharge[];
};

/** Payments to approve, limits nearly used up, mandates that end soon and failed payments. */
export const walletAttention = (overview: Overview, reader: Reader): AttentionItem[] => {
  const t = translator(reader.locale, "wallet");
  const declined = overview.failed.filter(
    ({ state, declineCode }) => state === "declined" && declineCode !== "declined_by_payer",
  );
  return [
    ...overview.approvals.map((approval) => approvalItem(approval, reader)),
    ...overview.near.mandates.flatMap((mandate) => nearLimitItems(mandate, reader)),
    ...(overview.near.hasMore ? [moreItem("near", t("attention.moreNear"), reader)] : []),
    ...overview.ending.mandates.map((mandate) => endingItem(mandate, reader)),
    ...(overview.ending.hasMore ? [moreItem("ending", t("attention.moreEnding"), reader)] : []),
    ...declined.slice(0, maxFailures).map((charge) => failureItem(charge, reader)),
    ...(declined.length > maxFailures ? [moreFailuresItem(reader)] : []),
  ];
};

const approvalItem = (approval: WalletApproval, reader: Reader): AttentionItem => {
  const t = translator(reader.locale, "wallet");
  const { expiresAt, bankUrl, client } = approval;
  return {
    key: approval.id,
    title: approvalTitle(approval, reader, translator(reader.locale, "approvals")),
    text: expiresAt
      ? t(bankUrl ? "attention.confirmation" : "attention.approval", {
          agent: client.name,
          time: formatTime(new Date(expiresAt), reader),
        })
      : t("attention.approvalSoon", { agent: client.name }),
    href: `/wallet/approvals/${approval.id}`,
    verb: t(bankUrl ? "attention.continue" : "attention.review"),
  };
};

const nearLimitItems = (mandate: WalletMandate, reader: Reader): AttentionItem[] => {
  const near = mandate.limits.find(isNearLimit);
  if (!near) return [];
  const t = translator(reader.locale, "wallet");
  const texts = translator(reader.locale, "mandates");
  const [left, cap] = formatPartOfCap(near.leftMinor, near, { currency: mandate.currency, reader, t: texts });
  return [
    {
      key: `near-${mandate.id}`,
      title: t("attention.near", { agent: mandate.client.name }),
      text: t("attention.nearText", { limit: limitLabel(near, texts), left, cap }),
      href: `/wallet/mandates/${mandate.id}`,
      verb: t("attention.seeLimits"),
    },
  ];
};

const endingItem = (mandate: WalletMandate, reader: Reader): AttentionItem => {
  const t = translator(reader.locale, "wallet");
  return {
    key: `ends-${mandate.id}`,
    title: t("attention.ending", { agent: mandate.client.name }),
    text: t("attention.endingText", { date: formatEndDay(new Date(mandate.validUntil), reader) }),
    href: `/wallet/mandates/${mandate.id}`,
    verb: t("attention.seeMandate"),
  };
};

const moreItem = (key: string, title: string, reader: Reader): AttentionItem => {
  const t = translator(reader.locale, "wallet");
  return { key, title, text: t("attention.moreText"), href: "/wallet/mandates", verb: t("attention.seeMandates") };
};

const moreFailuresItem = (reader: Reader): AttentionItem => {
  const t = translator(reader.locale, "wallet");
  return {
    key: "failed",
    title: t("attention.moreFailed"),
    text: t("attention.moreFailedText"),
    href: "/wallet/activity?show=failed",
    verb: t("attention.seeCharges"),
  };
};

const failureItem = (charge: WalletCharge, reader: Reader): AttentionItem => {
  const t = translator(reader.locale, "wallet");
  const reason = declineReasonForPayer(charge.declineCode, translator(reader.locale, "activity"));
  const amount = formatAmount(charge.amountMinor, charge.currency, reader);
  return {
    key: charge.id,
    title: t("attention.failed", { amount, merchant: charge.merchant.name }),
    text: t("attention.failedText", { agent: charge.client.name, reason }),
    href: `/wallet/activity/${charge.id}`,
    verb: t("attention.seeCharge"),
  };
};
