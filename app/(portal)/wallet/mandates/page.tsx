import type { Metadata } from "next";
import Link from "next/link";
import type { Reader } from "#components/format/reader.ts";
import { listAddress, type SearchParams, searchId, searchText } from "#components/portal/lists/list-address.ts";
import { Pager } from "#components/portal/lists/pager.tsx";
import { ListSearchForm } from "#components/portal/lists/search-form.tsx";
import { CardGrid, PageHead, Section } from "#components/portal/page-head.tsx";
import { ButtonLink } from "#components/ui/button.tsx";
import { EmptyState } from "#components/ui/empty-state.tsx";
import { MandateCard } from "#components/wallet/mandates/mandate-card.tsx";
import type { WalletMandate } from "#server/trpc/wallet/views.ts";
import { portalPage } from "../../portal-context.ts";

export const metadata: Metadata = { title: "Mandates" };

type Show = "live" | "ended";
type Page = { mandates: readonly WalletMandate[]; hasMore: boolean };

const titles: Readonly<Record<Show, string>> = { live: "Active and paused", ended: "Ended" };
/** The first page shows both lists. */
const firstLimits: Readonly<Record<Show, number>> = { live: 12, ended: 6 };
const limit = 24;

const MandatesPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const [search, after, shown] = [searchText(params, "q"), searchId(params, "after"), searchId(params, "show")];
  const show = shown === "live" || shown === "ended" ? shown : null;
  const { api, reader } = await portalPage("/wallet/mandates");
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
    <>
      <PageHead
        title="Mandates"
        act={
          show ? <Link href={listAddress(path, { q: search })}>{search ? "All results" : "All mandates"}</Link> : null
        }
      >
        The apps and agents that can spend your money, with their limits.
      </PageHead>
      {!isEmpty || search ? <ListSearchForm value={search ?? ""} label="Search by app, purpose or merchant" /> : null}
      {isEmpty ? (
        <EmptyState title={search ? "No results" : "No mandates"}>
          {search
            ? `No mandate matches “${search}”. Search for an app, a purpose or a merchant.`
            : "Apps and agents that you approve appear here."}
        </EmptyState>
      ) : null}
      {live ? <MandateList title={titles.live} page={live} more={moreOf("live", live)} reader={reader} /> : null}
      {ended ? <MandateList title={titles.ended} page={ended} more={moreOf("ended", ended)} reader={reader} /> : null}
      <Pager
        newest={show && after ? listAddress(path, { q: search, show }) : null}
        older={show ? olderThan(live ?? ended, { q: search, show }) : null}
      />
    </>
  );
};

const path = "/wallet/mandates";

const olderThan = (page: Page | null, query: { q: string | undefined; show: Show }): string | null => {
  const last = page?.mandates.at(-1);
  return page?.hasMore && last ? listAddress(path, { ...query, after: last.id }) : null;
};

const MandateList = ({
  title,
  page,
  more,
  reader,
}: {
  title: string;
  page: Page;
  /** the address of the whole list, where this is only its start */
  more: string | null;
  reader: Reader;
}) =>
  page.mandates.length === 0 ? null : (
    <Section title={title}>
      <CardGrid>
        {page.mandates.map((mandate) => (
          <MandateCard key={mandate.id} mandate={mandate} reader={reader} />
        ))}
      </CardGrid>
      {more ? (
        <div>
          <ButtonLink href={more} size="small">
            All {title.toLowerCase()}
          </ButtonLink>
        </div>
      ) : null}
    </Section>
  );

export default MandatesPage;
