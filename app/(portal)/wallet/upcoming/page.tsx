import type { Metadata } from "next";
import { formatTimeZone } from "#components/format/dates.ts";
import { Messages } from "#components/format/messages.tsx";
import { FilterForm, SearchField } from "#components/portal/lists/filter-form.tsx";
import { listAddress, type SearchParams, searchId, searchText } from "#components/portal/lists/list-address.ts";
import { ListEmpty } from "#components/portal/lists/list-empty.tsx";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { Link } from "#components/ui/link.tsx";
import { forwardPagerTexts, pagerTexts } from "#components/wallet/list-texts.ts";
import { NoticeTable } from "#components/wallet/notices/notice-table.tsx";
import { translator } from "#server/kernel/messages/translator.ts";
import { currentLocale } from "../../../page-context.ts";
import { portalPage } from "../../portal-context.ts";

const path = "/wallet/upcoming";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: translator(await currentLocale(), "upcoming")("title"),
});

const UpcomingPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const isPast = params["show"] === "past";
  const [search, after] = [searchText(params, "q"), searchId(params, "after")];
  const { api, reader } = await portalPage(path);
  const { notices, hasMore } = await api.wallet.notices({
    show: isPast ? "past" : "upcoming",
    search,
    startingAfter: after,
  });
  const t = translator(reader.locale, "upcoming");
  const words = translator(reader.locale, "wallet");
  const filters = { q: search, show: isPast ? "past" : undefined };
  const last = notices.at(-1);
  const unfiltered = listAddress(path, { ...filters, q: undefined });
  const other = (
    <Link href={listAddress(path, { q: search, show: isPast ? undefined : "past" })}>
      {t(isPast ? "upcomingLink" : "earlier")}
    </Link>
  );
  return (
    <Messages locale={reader.locale} areas={["mandates"]}>
      <PageHead title={t(isPast ? "earlier" : "title")} act={other}>
        {t("intro")} {words("zone", { zone: formatTimeZone(reader.timeZone, reader.locale) })}
      </PageHead>
      {notices.length > 0 || search !== undefined ? (
        <FilterForm
          action={path}
          filters={{ q: search }}
          submit={words("list.search")}
          clear={words("list.clear")}
          clearHref={unfiltered}
          kept={isPast ? { show: "past" } : {}}
        >
          <SearchField label={t("search")} value={search} />
        </FilterForm>
      ) : null}
      {notices.length > 0 ? (
        <NoticeTable notices={notices} reader={reader} />
      ) : (
        <ListEmpty
          isFiltered={search !== undefined}
          clear={unfiltered}
          noResults={words("list.noResults")}
          noMatch={t("noMatch", { search: search ?? "" })}
          clearLabel={t("clearSearch")}
          title={t(isPast ? "earlierEmpty" : "empty")}
        >
          {t(isPast ? "earlierEmptyText" : "emptyText")}
        </ListEmpty>
      )}
      <Pager
        texts={isPast ? pagerTexts(reader.locale) : forwardPagerTexts(reader.locale)}
        newest={after ? listAddress(path, filters) : null}
        older={hasMore && last ? listAddress(path, { ...filters, after: last.id }) : null}
      />
    </Messages>
  );
};

export default UpcomingPage;
