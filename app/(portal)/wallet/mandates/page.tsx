import type { Metadata } from "next";
import { activeFirst } from "#components/format/labels/mandate-labels.ts";
import { Messages } from "#components/format/messages.tsx";
import type { Reader } from "#components/format/reader.ts";
import { FilterForm, SearchField } from "#components/portal/lists/filter-form.tsx";
import { listAddress, type SearchParams, searchId, searchText } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { CardGrid, PageHead, Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { Select } from "#components/ui/field/field.tsx";
import { Link } from "#components/ui/link.tsx";
import { pagerTexts } from "#components/wallet/list-texts.ts";
import { MandateCard } from "#components/wallet/mandates/mandate-card.tsx";
import { MoreMandates } from "#components/wallet/mandates/more-mandates.tsx";
import { translator } from "#server/kernel/messages/translator.ts";
import type { WalletMandate } from "#server/trpc/wallet/views.ts";
import { currentLocale } from "../../../page-context.ts";
import { portalPage } from "../../portal-context.ts";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: translator(await currentLocale(), "mandates")("list.title"),
});

type Show = "live" | "ended";
type Page = { mandates: readonly WalletMandate[]; hasMore: boolean };

/** The number of mandates that the first page shows as cards. Further live mandates follow as rows. */
const cards: Readonly<Record<Show, number>> = { live: 12, ended: 6 };
const firstRows = 24;
const firstLimits: Readonly<Record<Show, number>> = { live: cards.live + firstRows, ended: cards.ended };
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
  const list = { isOverview: show === null, search, now, reader };
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
          filters={{ q: search, show }}
          label={words("list.filters")}
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
        <EmptyState title={search ? words("list.noResults") : t(emptyTitles[show ?? "all"])}>
          {search ? t("list.noMatch", { search }) : t(show ? "list.emptyOthers" : "list.emptyText")}
        </EmptyState>
      ) : null}
      {live ? <MandateList show="live" page={live} {...list} /> : null}
      {ended ? <MandateList show="ended" page={ended} {...list} /> : null}
      <Pager
        texts={pagerTexts(reader.locale)}
        newest={show && after ? listAddress(path, { q: search, show }) : null}
        older={show ? olderThan(live ?? ended, { q: search, show }) : null}
      />
    </Messages>
  );
};

const path = "/wallet/mandates";
const emptyTitles = { all: "list.empty", live: "list.emptyLive", ended: "list.emptyEnded" } as const;

const olderThan = (page: Page | null, query: { q: string | undefined; show: Show }): string | null => {
  const last = page?.mandates.at(-1);
  return page?.hasMore && last ? listAddress(path, { ...query, after: last.id }) : null;
};

const MandateList = ({
  show,
  page,
  isOverview,
  search,
  now,
  reader,
}: {
  show: Show;
  page: Page;
  /** whether the page shows the first rows of both lists */
  isOverview: boolean;
  search: string | undefined;
  now: Date;
  reader: Reader;
}) => {
  const t = translator(reader.locale, "mandates");
  const cardCount = isOverview ? cards[show] : limit;
  const rows = { mandates: page.mandates.slice(cardCount), hasMore: page.hasMore };
  const allHref = listAddress(path, { q: search, show });
  return page.mandates.length === 0 ? null : (
    <Section title={t(`list.${show}`)}>
      <CardGrid>
        {activeFirst(page.mandates.slice(0, cardCount)).map((mandate) => (
          <MandateCard key={mandate.id} mandate={mandate} now={now} reader={reader} />
        ))}
      </CardGrid>
      {rows.mandates.length > 0 ? (
        <MoreMandates key={search ?? ""} first={rows} search={search} allHref={allHref} locale={reader.locale} />
      ) : isOverview && page.hasMore ? (
        <div>
          <ButtonLink href={allHref} size="small">
            {t("list.allEnded")}
          </ButtonLink>
        </div>
      ) : null}
    </Section>
  );
};

export default MandatesPage;
