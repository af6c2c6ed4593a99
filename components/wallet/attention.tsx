import type { WalletApproval, WalletCharge, WalletMandate } from "#server/trpc/views.ts";
import { date, money, type Reader } from "../mandates/words.ts";
import { ButtonLink } from "../ui/button.tsx";
import { answerBy, askedWords } from "./approval-words.ts";
import styles from "./attention.module.css";
import { declineReason, endsSoon, isNear, limitLabel, partOfCap } from "./mandate-words.ts";

export type AttentionItem = { key: string; title: string; text: string; href: string; verb: string };

const weekMilliseconds = 7 * 86_400_000;

/** What a payer would want to know first: payments that wait, limits nearly used up, ends near, payments that failed. */
export const attentionOf = (
  approvals: readonly WalletApproval[],
  live: readonly WalletMandate[],
  charges: readonly WalletCharge[],
  now: Date,
  reader: Reader,
): AttentionItem[] => [
  ...approvals.map((approval) => ({
    key: approval.id,
    title: askedWords(approval, reader),
    text: `Asked by ${approval.client.name}; ${approval.expiresAt ? `answer by ${answerBy(approval.expiresAt, reader)}` : "answer soon"}, or it lapses and nothing is charged.`,
    href: `/wallet/approvals/${approval.id}`,
    verb: approval.bankUrl ? "Continue" : "Review",
  })),
  ...live.flatMap((mandate): AttentionItem[] => {
    const near = mandate.limits.find(isNear);
    if (!near || mandate.state !== "active") return [];
    const [left, cap] = partOfCap(near.leftMinor, near, mandate.currency, reader);
    return [
      {
        key: `near-${mandate.id}`,
        title: `${mandate.client.name} is near a limit`,
        text: `${limitLabel(near)}: ${left} of ${cap} left. Beyond it, payments are refused.`,
        href: `/wallet/mandates/${mandate.id}`,
        verb: "See limits",
      },
    ];
  }),
  ...live
    .filter((mandate) => endsSoon(mandate, now))
    .map((mandate) => ({
      key: `ends-${mandate.id}`,
      title: `${mandate.client.name} ends soon`,
      text: `Its permission ends on ${date(new Date(mandate.validUntil), reader)}. Nothing is needed from you to let it end.`,
      href: `/wallet/mandates/${mandate.id}`,
      verb: "See mandate",
    })),
  ...charges
    .filter(({ declineCode }) => declineCode !== "declined_by_payer")
    .filter(({ state, createdAt }) => state === "declined" && now.getTime() - Date.parse(createdAt) < weekMilliseconds)
    .slice(0, 3)
    .map((charge) => ({
      key: charge.id,
      title: `A payment of ${money(charge.amountMinor, charge.currency, reader)} at ${charge.merchant.name} failed`,
      text: `Asked by ${charge.client.name}; ${declineReason(charge.declineCode)}. No money moved.`,
      href: `/wallet/activity?show=failed`,
      verb: "See activity",
    })),
];

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
