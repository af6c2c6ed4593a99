import type { Metadata } from "next";
import { formatTimeZone } from "#components/format/dates.ts";
import { mandateName } from "#components/format/labels/mandate-labels.ts";
import { type DateRange, listInRange, periodOf, readDateRange } from "#components/portal/lists/date-range.ts";
import { listAddress, type SearchParams, searchId } from "#components/portal/lists/list-address.ts";
import { ListEmpty } from "#components/portal/lists/list-empty.tsx";
import { Pager } from "#components/portal/lists/pager.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { DownloadLink } from "#components/ui/button.tsx";
import { ActivityFilter, type ActivityQuery, readActivityQuery } from "#components/wallet/activity-filter.tsx";
import { ActivityTable } from "#components/wallet/activity-table.tsx";
import { pagerTexts } from "#components/wallet/list-texts.ts";
import { translator } from "#server/kernel/messages/translator.ts";
import { currentLocale } from "../../../page-context.ts";
import { portalPage } from "../../portal-context.ts";

const path = "/wallet/activity";

export const generateMetadata = async (): Promise<Metadata> => ({
  title: translator(await currentLocale(), "activity")("title"),
});

const toInput = (query: ActivityQuery, range: DateRange) => ({
  mandateId: query.mandate,
  clientId: query.agent,
  merchantId: query.merchant,
  kind: query.kind,
  show: query.show,
  ...periodOf(range),
});

/** The file has all rows that match the filters of the page. */
const csvAddress = ({ mandateId, clientId, merchantId, ...others }: ReturnType<typeof toInput>): string =>
  listAddress(`${path}/export.csv`, { mandate: mandateId, agent: clientId, merchant: merchantId, ...others });

const ActivityPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const query = readActivityQuery(params);
  const after = searchId(params, "after");
  const { api, reader, businessNow: now } = await portalPage(path);
  const range = readDateRange(params, reader.timeZone);
  const input = toInput(query, range);
  const [names, choices, { entries, hasMore }] = await Promise.all([
    api.wallet.mandateNames(query.mandate ? { including: query.mandate } : {}),
    api.wallet.activityChoices(),
    listInRange(range, { entries: [], hasMore: false }, () =>
      api.wallet.activityEntries({ ...input, startingAfter: after }),
    ),
  ]);
  const [t, words] = [translator(reader.locale, "activity"), translator(reader.locale, "wallet")];
  const filters = { ...query, from: range.from, to: range.to };
  const isFiltered = Object.values(filters).some((value) => value !== undefined);
  const last = entries.at(-1);
  return (
    <>
      <PageHead
        title={t("title")}
        act={entries.length > 0 ? <DownloadLink href={csvAddress(input)}>{t("download")}</DownloadLink> : null}
      >
        {t("intro")} {words("zone", { zone: formatTimeZone(reader.timeZone, reader.locale) })}
      </PageHead>
      <ActivityFilter
        query={query}
        range={range}
        now={now}
        reader={reader}
        choices={choices}
        mandates={names.map(({ id, clientName, purpose }) => ({
          id,
          label: mandateName({ client: { name: clientName }, purpose }),
        }))}
      />
      {entries.length > 0 ? (
        <ActivityTable caption={t("caption")} entries={entries} now={now} reader={reader} />
      ) : (
        <ListEmpty
          isFiltered={isFiltered}
          range={range}
          clear={path}
          noResults={t("noMatch")}
          noMatch={t("noMatchText")}
          clearLabel={words("list.clearFilters")}
          title={t("empty")}
        >
          {t("emptyText")}
        </ListEmpty>
      )}
      <Pager
        texts={pagerTexts(reader.locale)}
        newest={after ? listAddress(path, filters) : null}
        older={hasMore && last ? listAddress(path, { ...filters, after: last.id }) : null}
      />
    </>
  );
};

export default ActivityPage;
