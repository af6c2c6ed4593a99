import type { Metadata } from "next";
import { disputeStatusLabels, isDisputeStatus } from "#components/format/labels/dispute-labels.ts";
import { DisputeTable } from "#components/merchant/disputes/dispute-table.tsx";
import { FilterForm, SearchField } from "#components/portal/lists/filter-form.tsx";
import { listAddress, type SearchParams, searchId, searchText } from "#components/portal/lists/list-address.ts";
import { ListEmpty } from "#components/portal/lists/list-empty.tsx";
import { Pager } from "#components/portal/lists/pager.tsx";
import { TruncatedSearchNotice } from "#components/portal/lists/truncated-search-notice.tsx";
import { PageHead } from "#components/portal/page-head.tsx";
import { Select } from "#components/ui/field/field.tsx";
import { orNotFound } from "../../portal-context.ts";
import { merchantPage } from "../merchant-context.ts";

export const metadata: Metadata = { title: "Disputes" };

const path = "/merchant/disputes";

const DisputesPage = async ({ searchParams }: { searchParams: Promise<SearchParams> }) => {
  const params = await searchParams;
  const [q, requested, after] = [searchText(params, "q"), searchText(params, "status"), searchId(params, "after")];
  const query = { q, status: isDisputeStatus(requested) ? requested : undefined };
  const isFiltered = Object.values(query).some((filter) => filter !== undefined);
  const { api, merchantId, reader, businessNow } = await merchantPage(path);
  const { disputes, hasMore, isCut } = await orNotFound(
    api.disputes.list({ merchantId, search: q, status: query.status, startingAfter: after }),
  );
  return (
    <>
      <PageHead title="Disputes">
        Payments that payers dispute at their bank. If your payments are made through Stripe, respond in Stripe’s
        dashboard.
      </PageHead>
      <FilterForm action={path} filters={query}>
        <SearchField label="Reference or ID" value={q} />
        <Select label="Status" name="status" defaultValue={query.status ?? ""}>
          <option value="">All statuses</option>
          {Object.entries(disputeStatusLabels).map(([value, { label }]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </Select>
      </FilterForm>
      {isCut ? <TruncatedSearchNotice noun="payments" /> : null}
      {disputes.length > 0 ? (
        <DisputeTable disputes={disputes} now={businessNow} reader={reader} />
      ) : (
        <ListEmpty
          isFiltered={isFiltered}
          clear={path}
          noMatch="No dispute matches these filters. Enter the start of a payment’s reference, or a complete ID."
          title="No disputes"
        >
          If a payer disputes a payment, it appears here.
        </ListEmpty>
      )}
      <Pager
        newest={after ? listAddress(path, query) : null}
        older={hasMore ? listAddress(path, { ...query, after: disputes.at(-1)?.id }) : null}
      />
    </>
  );
};

export default DisputesPage;
