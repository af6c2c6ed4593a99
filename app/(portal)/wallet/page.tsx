import type { Metadata } from "next";
import Link from "next/link";
import { remainingMinor } from "#components/format/labels/mandate-labels.ts";
import { formatAmount } from "#components/format/money.ts";
import type { Reader } from "#components/format/reader.ts";
import { Attention, attentionOf } from "#components/portal/attention.tsx";
import { CardGrid, PageHead, Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ChargeTable } from "#components/wallet/charge-table.tsx";
import { MandateCard } from "#components/wallet/mandates/mandate-card.tsx";
import type { WalletMandate } from "#server/trpc/wallet/views.ts";
import { portalPage } from "../portal-context.ts";

export const metadata: Metadata = { title: "Wallet" };

const HomePage = async () => {
  const { api, reader, businessNow: now, config } = await portalPage("/wallet");
  const [overview, { charges }, approvals] = await Promise.all([
    api.wallet.overview(),
    api.wallet.activity({ limit: 10 }),
    api.wallet.approvals(),
  ]);
  const { newest, near, ending } = overview;
  return (
    <>
      <PageHead title="Home">{summary(overview, reader)}</PageHead>
      <Attention items={attentionOf({ approvals, near, ending, charges }, now, reader)} />
      <Section
        title={newest.hasMore ? "Newest mandates" : "Mandates"}
        act={<Link href="/wallet/mandates">All mandates</Link>}
      >
        {newest.mandates.length > 0 ? (
          <CardGrid>
            {newest.mandates.map((mandate) => (
              <MandateCard key={mandate.id} mandate={mandate} reader={reader} />
            ))}
          </CardGrid>
        ) : (
          <EmptyState
            title="Nothing may spend your money"
            act={config.environment === "sandbox" ? <ButtonLink href="/demo">Try the demo</ButtonLink> : null}
          >
            When an app or an agent asks to pay for you and you approve, it is listed here with its limits, and you can
            stop it here.
          </EmptyState>
        )}
      </Section>
      <Section title="Recent activity" act={<Link href="/wallet/activity">All activity</Link>}>
        {charges.length > 0 ? (
          <ChargeTable caption="Recent charges" charges={charges.slice(0, 5)} now={now} reader={reader} />
        ) : (
          <EmptyState title="No charges yet">
            Every charge and refund under your mandates will be listed here.
          </EmptyState>
        )}
      </Section>
    </>
  );
};

type Overview = { active: number; suspended: number; newest: { mandates: readonly WalletMandate[]; hasMore: boolean } };

/**
 * The sum is given only where it says something true: of all active mandates, in one currency, each with a limit that
 * fills up.
 */
const summary = ({ active: count, suspended, newest }: Overview, reader: Reader): string => {
  const active = newest.mandates.filter(({ state }) => state === "active");
  if (count + suspended === 0) return "You have allowed nothing.";
  if (count === 0) return "Everything is paused: nothing can be charged.";
  const many = count === 1 ? "1 active mandate" : `${count} active mandates`;
  if (active.length < count) return `${many}.`;
  const [currency, ...others] = new Set(active.map((mandate) => mandate.currency));
  const lefts = active.map(remainingMinor);
  if (currency === undefined || others.length > 0) return `${many}.`;
  const sum = lefts.reduce((total, left) => (total === null || left === null ? null : total + left), 0);
  return sum === null ? `${many}.` : `${many} can spend up to ${formatAmount(sum, currency, reader)} more for now.`;
};

export default HomePage;
