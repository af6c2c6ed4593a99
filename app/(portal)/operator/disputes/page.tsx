import type { Metadata } from "next";
import { isDisputeStatus } from "#components/format/labels/dispute-labels.ts";
import { DisputeFilter, disputesPath } from "#components/operator/disputes/dispute-filter.tsx";
import { OperatorDisputeTable } from "#components/operator/disputes/dispute-table.tsx";
import { periodOf, readDateRange } from "#components/portal/lists/date-range.ts";
import { listAddress, type SearchParams, searchId, searchText } from "#components/portal/lists/list-address.ts";
import { ListEmpty } from "#components/portal/lists/list-empty.tsx";
import { Pager } from "#components/portal/lists/pager.tsx";
import { TruncatedSearchNotice } from "#components/portal/lists/truncated-search-notice.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { operatorPage } from "../operator-context.ts";

export const metadata: Metadata = { title: "Disputes" };

const DisputesPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const { api, reader, businessNow } = await operatorPage(disputesPath, "reported_dispute.list");
  const [requested, after] = [searchText(params, "status"), searchId(params, "after")];
  const range = readDateRange(params, reader.timeZone);
  const query = {
    q: searchText(params, "q", 255),
    status: isDisputeStatus(requested) ? requested : undefined,
    reason: searchText(params, "reason"),
  };
  const { reasons, ...page } = await api.operatorDisputes.list({
    search: query.q,
    status: query.status,
    reason: query.reason,
    ...periodOf(range),
    startingAfter: after,
  });
  // With invalid dates, the page shows the problem instead of rows of another period.
  const { disputes, hasMore, isCut } = range.problem === null ? page : { disputes: [], hasMore: false, isCut: false };
  const filters = { ...query, from: range.from, to: range.to };
  return (
    <>
      <PageHead title="Disputes">
        Charges that payers dispute at their bank. The merchant must send evidence through its processor by the date
        that is shown here.
      </PageHead>
      <DisputeFilter query={query} reasons={reasons} range={range} now={businessNow} reader={reader} />
      {isCut ? <TruncatedSearchNotice noun="charges" /> : null}
      {disputes.length > 0 ? (
        <OperatorDisputeTable disputes={disputes} now={businessNow} reader={reader} />
      ) : (
        <ListEmpty
          isFiltered={Object.values(filters).some((filter) => filter !== undefined)}
          range={range}
          clear={disputesPath}
          noMatch="No dispute matches these filters. Enter the start of a charge’s reference, or a complete ID."
          title="No disputes"
        >
          If a payer disputes a charge, it appears here.
        </ListEmpty>
      )}
      <Pager
        newest={after === undefined ? null : listAddress(disputesPath, filters)}
        older={hasMore ? listAddress(disputesPath, { ...filters, after: disputes.at(-1)?.id }) : null}
      />
    </>
  );
};

export default DisputesPage;
