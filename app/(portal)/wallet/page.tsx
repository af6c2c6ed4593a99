import type { Metadata } from "next";
import Link from "next/link";
import { remainingMinor } from "#components/format/labels/mandate-labels.ts";
import { formatAmount } from "#components/format/money.ts";
import type { Reader } from "#components/format/reader.ts";
import { Attention } from "#components/portal/attention.tsx";
import { CardGrid, PageHead, Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { ChargeTable } from "#components/wallet/charge-table.tsx";
import { MandateCard } from "#components/wallet/mandates/mandate-card.tsx";
import { walletAttention } from "#components/wallet/wallet-attention.ts";
import type { WalletMandate } from "#server/trpc/wallet/views.ts";
import { portalPage } from "../portal-context.ts";

export const metadata: Metadata = { title: { absolute: "Home · Wallet · Paygrant" } };

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
      <Attention items={walletAttention({ approvals, near, ending, charges }, now, reader)} />
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
            title="No app can spend your money"
            act={config.environment === "sandbox" ? <ButtonLink href="/demo">Try the demo</ButtonLink> : null}
          >
            Apps and agents that you approve appear here with their limits. You can stop them here.
          </EmptyState>
        )}
      </Section>
      <Section title="Recent activity" act={<Link href="/wallet/activity">All activity</Link>}>
        {charges.length > 0 ? (
          <ChargeTable caption="Recent charges" charges={charges.slice(0, 5)} now={now} reader={reader} />
        ) : (
          <EmptyState title="No charges yet">Charges and refunds under your mandates appear here.</EmptyState>
        )}
      </Section>
    </>
  );
};

type Overview = { active: number; suspended: number; newest: { mandates: readonly WalletMandate[]; hasMore: boolean } };

/**
 * The remaining amount is shown only if three conditions are true: the page has every active mandate, all of them have
 * the same currency, and each has a limit on the amount of a period or of its lifetime.
 */
const summary = ({ active: count, suspended, newest }: Overview, reader: Reader): string => {
  const active = newest.mandates.filter(({ state }) => state === "active");
  if (count + suspended === 0) return "You have no active mandates.";
  if (count === 0) return "All mandates are paused. Nothing can be charged.";
  const activeCount = count === 1 ? "1 active mandate" : `${count} active mandates`;
  if (active.length < count) return `${activeCount}.`;
  const [currency, ...others] = new Set(active.map((mandate) => mandate.currency));
  const amounts = active.map(remainingMinor);
  if (currency === undefined || others.length > 0) return `${activeCount}.`;
  const sum = amounts.reduce((total, amount) => (total === null || amount === null ? null : total + amount), 0);
  return sum === null
    ? `${activeCount}.`
    : `${activeCount}. ${formatAmount(sum, currency, reader)} can still be spent this period.`;
};

export default HomePage;
