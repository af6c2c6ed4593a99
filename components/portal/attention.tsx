import type { WalletApproval, WalletCharge, WalletMandate } from "#server/trpc/wallet/views.ts";
import { formatDate, formatTime } from "../format/dates.ts";
import { approvalTitle } from "../format/labels/approval-labels.ts";
import { declineReason, formatPartOfCap, isNearLimit, limitLabel } from "../format/labels/mandate-labels.ts";
import { formatAmount } from "../format/money.ts";
import type { Reader } from "../format/reader.ts";
import { ButtonLink } from "../ui/button.tsx";
import styles from "./attention.module.css";

export type AttentionItem = { key: string; title: string; text: string; href: string; verb: string };

const weekMilliseconds = 7 * 86_400_000;

/** Some mandates of a kind, and whether there are more. */
type Some = { mandates: readonly WalletMandate[]; hasMore: boolean };

type Seen = {
  approvals: readonly WalletApproval[];
  near: Some;
  ending: Some;
  charges: readonly WalletCharge[];
};

/** What a payer would want to know first: payments that wait, limits nearly used up, ends near, payments that failed. */
export const attentionOf = (seen: Seen, now: Date, reader: Reader): AttentionItem[] => [
  ...seen.approvals.map((approval) => ofApproval(approval, reader)),
  ...seen.near.mandates.flatMap((mandate) => ofNear(mandate, reader)),
  ...(seen.near.hasMore ? [more("near", "More mandates are near a limit")] : []),
  ...seen.ending.mandates.map((mandate) => ofEnding(mandate, reader)),
  ...(seen.ending.hasMore ? [more("ending", "More mandates end soon")] : []),
  ...seen.charges
    .filter(({ declineCode }) => declineCode !== "declined_by_payer")
    .filter(({ state, createdAt }) => state === "declined" && now.getTime() - Date.parse(createdAt) < weekMilliseconds)
    .slice(0, 3)
    .map((charge) => ofFailure(charge, reader)),
];

const ofApproval = (approval: WalletApproval, reader: Reader): AttentionItem => ({
  key: approval.id,
  title: approvalTitle(approval, reader),
  text: `Asked by ${approval.client.name}; ${approval.expiresAt ? `answer by ${formatTime(new Date(approval.expiresAt), reader)}` : "answer soon"}, or it lapses and nothing is charged.`,
  href: `/wallet/approvals/${approval.id}`,
  verb: approval.bankUrl ? "Continue" : "Review",
});

const ofNear = (mandate: WalletMandate, reader: Reader): AttentionItem[] => {
  const near = mandate.limits.find(isNearLimit);
  if (!near) return [];
  const [left, cap] = formatPartOfCap(near.leftMinor, near, { currency: mandate.currency, reader });
  return [
    {
      key: `near-${mandate.id}`,
      title: `${mandate.client.name} is near a limit`,
      text: `${limitLabel(near)}: ${left} of ${cap} left. Beyond it, payments are refused.`,
      href: `/wallet/mandates/${mandate.id}`,
      verb: "See limits",
    },
  ];
};

const ofEnding = (mandate: WalletMandate, reader: Reader): AttentionItem => ({
  key: `ends-${mandate.id}`,
  title: `${mandate.client.name} ends soon`,
  text: `Its permission ends on ${formatDate(new Date(mandate.validUntil), reader)}. Nothing is needed from you to let it end.`,
  href: `/wallet/mandates/${mandate.id}`,
  verb: "See mandate",
});

const more = (key: string, title: string): AttentionItem => ({
  key,
  title,
  text: "The list of mandates shows each with its limits and its end.",
  href: "/wallet/mandates",
  verb: "See mandates",
});

const ofFailure = (charge: WalletCharge, reader: Reader): AttentionItem => ({
  key: charge.id,
  title: `A payment of ${formatAmount(charge.amountMinor, charge.currency, reader)} at ${charge.merchant.name} failed`,
  text: `Asked by ${charge.client.name}; ${declineReason(charge.declineCode)}. No money moved.`,
  href: `/wallet/activity?show=failed`,
  verb: "See activity",
});

export const Attention = ({ items }: { items: readonly AttentionItem[] }) =>
  items.length === 0 ? null : (
    <section aria-label="Needs attention">
      <ul className={styles.list}>
        {items.map(({ key, title, text, href, verb }) => (
          <li key={key} className={styles.item}>
            <div>
              <h2 className="small">{title}</h2>
              <p className="small muted">{text}</p>
            </div>
            <ButtonLink href={href} size="small">
              {verb}
            </ButtonLink>
          </li>
        ))}
      </ul>
    </section>
  );
