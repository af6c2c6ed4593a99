import type { Metadata } from "next";
import { formatTimeZone } from "#components/format/dates.ts";
import { activeFirst, remainingMinor } from "#components/format/labels/mandate-labels.ts";
import { Messages } from "#components/format/messages.tsx";
import { formatAmount } from "#components/format/money.ts";
import type { Reader } from "#components/format/reader.ts";
import { Attention } from "#components/portal/attention.tsx";
import { FilterForm, SearchField } from "#components/portal/lists/filter-form.tsx";
import { LiveRefresh } from "#components/portal/live-refresh.tsx";
import { CardGrid, PageHead, Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Link } from "#components/ui/link.tsx";
import { ChargeTable } from "#components/wallet/activity-table.tsx";
import { MandateCard } from "#components/wallet/mandates/mandate-card.tsx";
import { NoticeTable } from "#components/wallet/notices/notice-table.tsx";
import { SpendByAgent } from "#components/wallet/spend-by-agent.tsx";
import { failuresSince, walletAttention } from "#components/wallet/wallet-attention.ts";
import { translator } from "#server/kernel/messages/translator.ts";
import { orderCurrencies } from "#server/kernel/money/order-currencies.ts";
import type { WalletMandate } from "#server/trpc/wallet/views.ts";
import { currentLocale } from "../../page-context.ts";
import { portalPage } from "../portal-context.ts";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: { absolute: `${translator(await currentLocale(), "wallet")("nav.home")} · Wallet · Paygrant` },
});

const HomePage = async () => {
  const { api, reader, businessNow: now, config } = await portalPage("/wallet");
  const fingerprint = await api.wallet.activityFingerprint();
  const [profile, overview, { charges }, { charges: failed }, approvals, spend, { notices }] = await Promise.all([
    api.profile.get(),
    api.wallet.overview(),
    api.wallet.activity({ limit: 5 }),
    api.wallet.activity({ limit: 100, show: "failed", from: failuresSince(now).toISOString() }),
    api.wallet.approvals(),
    api.wallet.spend(),
    api.wallet.notices({ limit: 3 }),
  ]);
  const { newest, near, ending } = overview;
  const currency = profile.currency ?? newest.mandates[0]?.currency ?? null;
  const t = translator(reader.locale, "wallet");
  const newestTitle = t(newest.hasMore ? "home.newest" : "home.mandates");
  return (
    <Messages locale={reader.locale} areas={["mandates"]}>
      <LiveRefresh fingerprint={fingerprint} />
      <PageHead title={t("nav.home")}>{summary(overview, currency, reader)}</PageHead>
      <Attention label={t("home.attention")} items={walletAttention({ approvals, near, ending, failed }, reader)} />
      <Section title={newestTitle} act={<Link href="/wallet/mandates">{t("home.allMandates")}</Link>}>
        {newest.hasMore ? <MandateSearch locale={reader.locale} /> : null}
        {newest.mandates.length > 0 ? (
          <CardGrid>
            {activeFirst(newest.mandates).map((mandate) => (
              <MandateCard key={mandate.id} mandate={mandate} now={now} reader={reader} />
            ))}
          </CardGrid>
        ) : (
          <NoMandates hasDemo={config.environment === "sandbox"} locale={reader.locale} />
        )}
      </Section>
      {notices.length > 0 ? (
        <Section title={t("home.upcoming")} act={<Link href="/wallet/upcoming">{t("home.allUpcoming")}</Link>}>
          <NoticeTable notices={notices} reader={reader} />
        </Section>
      ) : null}
      {charges.length > 0 ? <SpendByAgent spend={spend} currency={currency} reader={reader} /> : null}
      <Section title={t("home.activity")} act={<Link href="/wallet/activity">{t("home.allActivity")}</Link>}>
        {charges.length > 0 ? (
          <ChargeTable
            caption={translator(reader.locale, "activity")("recentCaption")}
            charges={charges}
            now={now}
            reader={reader}
          />
        ) : (
          <EmptyState title={t("home.noCharges")}>{t("home.noChargesText")}</EmptyState>
        )}
      </Section>
      <p className="tiny">{t("zone", { zone: formatTimeZone(reader.timeZone, reader.locale) })}</p>
    </Messages>
  );
};

/** Each live mandate in the results has a Stop button, so the payer needn't scroll or open the mandate to stop it. */
const MandateSearch = ({ locale }: { locale: string }) => (
  <FilterForm action="/wallet/mandates" filters={{}} submit={translator(locale, "wallet")("list.search")}>
    <SearchField label={translator(locale, "mandates")("list.search")} value={undefined} />
  </FilterForm>
);

const NoMandates = ({ hasDemo, locale }: { hasDemo: boolean; locale: string }) => {
  const t = translator(locale, "wallet");
  return (
    <EmptyState
      title={t("home.emptyTitle")}
      act={hasDemo ? <ButtonLink href="/demo">{t("home.tryDemo")}</ButtonLink> : null}
    >
      {t("home.emptyText")}
    </EmptyState>
  );
};

type Overview = { active: number; suspended: number; newest: { mandates: readonly WalletMandate[]; hasMore: boolean } };

/**
 * Shows what the payer's mandates can spend now, one sum per currency. The sums are shown only if the page contains
 * every active mandate and each mandate limits the amount per period or in total.
 * @param preferred the currency that is shown first
 */
const summary = ({ active: count, suspended, newest }: Overview, preferred: string | null, reader: Reader): string => {
  const t = translator(reader.locale, "wallet");
  const active = newest.mandates.filter(({ state }) => state === "active");
  if (count + suspended === 0) return t("home.noMandates");
  if (count === 0) return t("home.allPaused");
  const rests = active.map((mandate) => ({ currency: mandate.currency, restMinor: remainingMinor(mandate) }));
  if (active.length < count || rests.some(({ restMinor }) => restMinor === null)) return t("home.active", { count });
  const currencies = orderCurrencies(
    rests.map(({ currency }) => currency),
    preferred,
  );
  const sumOf = (currency: string) =>
    rests.reduce((sum, rest) => (rest.currency === currency ? sum + (rest.restMinor ?? 0) : sum), 0);
  const amounts = currencies.map((currency) => formatAmount(sumOf(currency), currency, reader));
  const amount = new Intl.ListFormat(reader.locale, { type: "conjunction" }).format(amounts);
  return t("home.activeWithRest", { count, amount });
};

export default HomePage;
