import type { Metadata } from "next";
import Link from "next/link";
import { Messages } from "#components/format/messages.tsx";
import type { Reader } from "#components/format/reader.ts";
import { FilterForm, SearchField } from "#components/portal/lists/filter-form.tsx";
import { listAddress, type SearchParams, searchId, searchText } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { CardGrid, PageHead, Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Select } from "#components/ui/field/field.tsx";
import { pagerTexts } from "#components/wallet/list-texts.ts";
import { MandateCard } from "#components/wallet/mandates/mandate-card.tsx";
import { translator } from "#server/kernel/messages/translator.ts";
import type { WalletMandate } from "#server/trpc/wallet/views.ts";
import { currentLocale } from "../../../page-context.ts";
import { portalPage } from "../../portal-context.ts";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: translator(await currentLocale(), "mandates")("list.title"),
});

type Show = "live" | "ended";
type Page = { mandates: readonly WalletMandate[]; hasMore: boolean };

/** The number of mandates that the first page shows of each list. */
const firstLimits: Readonly<Record<Show, number>> = { live: 12, ended: 6 };
const limit = 24;

const MandatesPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const [search, after, shown] = [searchText(params, "q"), searchId(params, "after"), searchId(params, "show")];
  const show = shown === "live" || shown === "ended" ? shown : null;
  const { api, reader, businessNow: now } = await portalPage("/wallet/mandates");
  const t = translator(reader.locale, "mandates");
  const words = translator(reader.locale, "wallet");
  const filter = search === undefined ? {} : { search };
  const pageOf = async (which: Show): Promise<Page | null> => {
    if (show === null) return api.wallet.mandates({ show: which, limit: firstLimits[which], ...filter });
    if (show !== which) return null;
    return api.wallet.mandates({ show, limit, ...filter, ...(after === undefined ? {} : { startingAfter: after }) });
  };
  const [live, ended] = await Promise.all([pageOf("live"), pageOf("ended")]);
  const isEmpty = !live?.mandates.length && !ended?.mandates.length;
  const moreOf = (which: Show, page: Page) =>
    show === null && page.hasMore ? listAddress(path, { q: search, show: which }) : null;
  return (
    <Messages locale={reader.locale} areas={["mandates"]}>
      <PageHead
        title={t("list.title")}
        act={
          show ? (
            <Link href={listAddress(path, { q: search })}>{t(search ? "list.allResults" : "list.all")}</Link>
          ) : null
        }
      >
        {t("list.intro")}
      </PageHead>
      {!isEmpty || search || show ? (
        <FilterForm
          action={path}
          isFiltered={search !== undefined || show !== null}
          submit={words("list.search")}
          clear={words("list.clear")}
        >
          <SearchField label={t("list.search")} value={search} />
          <Select label={t("list.show")} name="show" defaultValue={show ?? ""}>
            <option value="">{t("list.showBoth")}</option>
            <option value="live">{t("list.live")}</option>
            <option value="ended">{t("list.ended")}</option>
          </Select>
        </FilterForm>
      ) : null}
      {isEmpty ? (
        <EmptyState title={search ? words("list.noResults") : t("list.empty")}>
          {search ? t("list.noMatch", { search }) : t("list.emptyText")}
        </EmptyState>
      ) : null}
      {live ? <MandateList show="live" page={live} more={moreOf("live", live)} now={now} reader={reader} /> : null}
      {ended ? <MandateList show="ended" page={ended} more={moreOf("ended", ended)} now={now} reader={reader} /> : null}
      <Pager
        texts={pagerTexts(reader.locale)}
        newest={show && after ? listAddress(path, { q: search, show }) : null}
        older={show ? olderThan(live ?? ended, { q: search, show }) : null}
      />
    </Messages>
  );
};

const path = "/wallet/mandates";

const olderThan = (page: Page | null, query: { q: string | undefined; show: Show }): string | null => {
  const last = page?.mandates.at(-1);
  return page?.hasMore && last ? listAddress(path, { ...query, after: last.id }) : null;
};

const MandateList = ({
  show,
  page,
  more,
  now,
  reader,
}: {
  show: Show;
  page: Page;
  /** the address of the complete list; null if this list is complete */
  more: string | null;
  now: Date;
  reader: Reader;
}) => {
  const t = translator(reader.locale, "mandates");
  return page.mandates.length === 0 ? null : (
    <Section title={t(`list.${show}`)}>
      <CardGrid>
        {page.mandates.map((mandate) => (
          <MandateCard key={mandate.id} mandate={mandate} now={now} reader={reader} />
        ))}
      </CardGrid>
      {more ? (
        <div>
          <ButtonLink href={more} size="small">
            {t(show === "live" ? "list.allLive" : "list.allEnded")}
          </ButtonLink>
        </div>
      ) : null}
    </Section>
  );
};

export default MandatesPage;
